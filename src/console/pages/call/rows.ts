/** Heights of the rows from above, in points. */
export const ROWS = {
  figures: { y: 0, height: 20 },
  caller: { y: 20, height: 56 },
  callerWords: { y: 78, height: 20 },
  marks: { y: 98, height: 24 },
  agent: { y: 124, height: 56 },
  agentWords: { y: 182, height: 20 },
  axis: { y: 204, height: 22 },
} as const;
export const HEIGHT = ROWS.axis.y + ROWS.axis.height;
