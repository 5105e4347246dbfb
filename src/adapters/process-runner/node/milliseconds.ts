/** Milliseconds of a clock that only goes forward. The global `performance` costs a short command more than all its waits. */
export function milliseconds(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
