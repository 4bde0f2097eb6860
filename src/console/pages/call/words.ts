/** Somebody's words on the axis. */
export interface SpokenTurn {
  readonly index: number;
  readonly role: 'caller' | 'agent' | 'person';
  readonly text: string;
  readonly started_ms: number;
  readonly heard_ms: number;
}

export interface Words {
  readonly turn: number; // index
  readonly role: SpokenTurn['role'];
  readonly text: string;
  readonly fromMs: number;
  /** Where the next words of the same lane begin; the end of the call after the last. */
  readonly untilMs: number;
}

/** In the order in which they were said: what is said aside is written down later. */
export const inTime = <T extends SpokenTurn>(turns: readonly T[]): T[] =>
  [...turns].sort((a, b) => a.started_ms - b.started_ms || a.index - b.index);

/** Words of one lane: of the caller, or of whoever speaks with them. */
export function wordsOf(turns: readonly SpokenTurn[], isCaller: boolean, durationMs: number): Words[] {
  const lane = inTime(turns).filter(({ role }) => (role === 'caller') === isCaller);
  return lane.map(({ index, role, text, started_ms }, at) => ({
    ...{ turn: index, role, text, fromMs: started_ms },
    untilMs: Math.max(started_ms, lane[at + 1]?.started_ms ?? durationMs),
  }));
}

/** The turn that is heard at a time, or was the last before; its index. */
export function turnAt(turns: readonly SpokenTurn[], ms: number): number | undefined {
  let found: number | undefined;
  for (const turn of inTime(turns)) {
    if (turn.started_ms > ms) break;
    found = turn.index;
  }
  return found;
}

/** When the turn before or after this time begins. From within a turn, back is first its own beginning. */
export function neighbour(turns: readonly SpokenTurn[], ms: number, step: 1 | -1): number | undefined {
  const starts = inTime(turns).map(({ started_ms }) => started_ms);
  if (step === 1) return starts.find((start) => start > ms + AT_MS);
  return starts.findLast((start) => start < ms - BACK_MS);
}
const AT_MS = 1;
/** Pressed sooner after the beginning of a turn, back is the turn before. */
const BACK_MS = 700;
