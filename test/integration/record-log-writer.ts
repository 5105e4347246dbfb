import { createRecordLog } from "../../src/adapters/record-log/files/record-log.ts";
import { makeRecord } from "../fixtures/record-builders.ts";

/** Appends `count` records of its own to the log of `directory`; a process of its own for tests of writers at once. */
const [directory = "", name = "", count = "1"] = process.argv.slice(2);
const log = createRecordLog({ directory });
for (let index = 0; index < Number(count); index++) {
  const { prev: _prev, digest: _digest, ...draft } = makeRecord(index, { command_id: `${name}-${index}` });
  await log.append(draft);
}
