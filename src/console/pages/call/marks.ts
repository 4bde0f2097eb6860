/** What happened at one moment beside words. */
export interface Mark {
  readonly kind: 'answer' | 'interruption' | 'key' | 'tool' | 'transfer' | 'hangup';
  readonly atMs: number;
  /** A key, the name of a tool, whom a call went to. */
  readonly what: string;
  readonly isBad?: boolean;
}

/** Less than that before the answer is no ringing, and not worth a mark. */
const RINGING_MS_MIN = 250;

interface MarkedCall {
  readonly recording_answer_ms?: number | null;
  readonly turns: readonly {
    readonly role: string;
    readonly started_ms: number;
    readonly heard_ms: number;
    readonly interrupted_ms?: number;
    readonly action?: 'transfer' | 'hangup' | 'collect';
    readonly tools?: readonly { readonly tool: string; readonly outcome: string; readonly ms: number }[];
  }[];
  readonly keys: readonly { readonly key: string; readonly at_ms: number }[];
  readonly transfers: readonly { readonly target: string; readonly outcome: string; readonly started_ms: number }[];
}

/** All marks of a call, in their order. A tool is shown where its answer was spoken from. */
export function marksOf({ turns, keys, transfers, recording_answer_ms: answerMs }: MarkedCall): Mark[] {
  const marks: Mark[] = [];
  if (answerMs && answerMs >= RINGING_MS_MIN) marks.push({ kind: 'answer', atMs: answerMs, what: '' });
  for (const { started_ms, heard_ms, interrupted_ms, action, tools = [] } of turns) {
    if (interrupted_ms !== undefined) marks.push({ kind: 'interruption', atMs: interrupted_ms, what: '' });
    for (const { tool, outcome } of tools) {
      marks.push({ kind: 'tool', atMs: started_ms, what: tool, ...(outcome !== 'ok' && { isBad: true }) });
    }
    if (action === 'hangup') marks.push({ kind: 'hangup', atMs: started_ms + heard_ms, what: '' });
  }
  for (const { key, at_ms } of keys) marks.push({ kind: 'key', atMs: at_ms, what: key });
  for (const { target, outcome, started_ms } of transfers) {
    const isBad = outcome !== 'joined' && outcome !== 'transferred';
    marks.push({ kind: 'transfer', atMs: started_ms, what: target, ...(isBad && { isBad: true }) });
  }
  return marks.sort((a, b) => a.atMs - b.atMs);
}

/** The mark nearest to a point, within reach. */
export function markNear(marks: readonly Mark[], ms: number, reachMs: number): Mark | undefined {
  let nearest: Mark | undefined;
  for (const mark of marks) {
    const away = Math.abs(mark.atMs - ms);
    if (away <= reachMs && (!nearest || away < Math.abs(nearest.atMs - ms))) nearest = mark;
  }
  return nearest;
}

/** Keys farther apart belong to different questions, however far one looks at them from. */
const AT_ONCE_MS = 3_000;

/** Keys that are pressed so soon after each other that they have no room of their own are one mark, at the first. */
export function joinedKeys(marks: readonly Mark[], closerThanMs: number): Mark[] {
  const joined: Mark[] = [];
  let last: { readonly at: number; readonly untilMs: number } | undefined;
  for (const mark of marks) {
    const before = last && joined[last.at];
    if (mark.kind === 'key' && last && before && mark.atMs - last.untilMs < Math.min(closerThanMs, AT_ONCE_MS)) {
      joined[last.at] = { ...before, what: before.what + mark.what };
      last = { ...last, untilMs: mark.atMs };
      continue;
    }
    if (mark.kind === 'key') last = { at: joined.length, untilMs: mark.atMs };
    joined.push(mark);
  }
  return joined;
}
