import type { InitRecord } from "../core/init/index.ts";

/** What `init` has written into work trees of this machine, kept outside of them. */
export interface InitRecords {
  /** Null where there is none. Throws `init-record-damaged`. */
  read(root: string): Promise<InitRecord | null>;
  write(record: InitRecord): Promise<void>;
  remove(root: string): Promise<void>;
}
