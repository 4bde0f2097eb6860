/** How loud the two sides of a call are, dBFS: the loudest 20 ms since the last reading. */
export interface CallLevels {
  readonly heardDb: number;
  readonly saidDb: number;
}
