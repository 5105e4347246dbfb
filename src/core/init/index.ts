export { emptyInitRecord, parseInitRecord, withFile, type InitRecord } from "./init-record.ts";
export { renderLineDiff } from "./line-diff.ts";
export { planInit, planUninit, type FileAction, type FileState, type RemovalAction } from "./plan-init.ts";
export { guardScripts, isActionReference, proposeFiles, type Survey } from "./propose-files.ts";
