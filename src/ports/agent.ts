import type { AgentFacts } from "../core/facts/index.ts";
import type { InstalledDependencies } from "./dependencies.ts";
import type { Room, Sandbox } from "./sandbox.ts";
import type { ResolvedToolchain } from "./toolchain.ts";

export interface AgentJob {
  /** The body of the task with the contract's public projection. */
  readonly prompt: string;
  readonly room: Room;
  readonly sandbox: Sandbox;
  readonly toolchain: ResolvedToolchain;
  readonly dependencies: InstalledDependencies;
  readonly wall_ms: number;
  readonly idle_ms: number;
  readonly signal?: AbortSignal;
  readonly onMessage?: (line: string) => void;
}

/** What came of it. There is no success field: every ending leads to capture. */
export interface AgentResult {
  readonly facts: AgentFacts;
  /** The agent's last words about its work, unread by anything that decides. */
  readonly claim: string;
  readonly transcript: string;
}

export interface Agent {
  readonly driver: string;
  run(job: AgentJob): Promise<AgentResult>;
}
