import type { TalkFrame, TalkTurn } from './talk-frames.ts';

/** Something said in a talk, as it is shown. */
export interface TalkLine {
  readonly id: number;
  readonly role: 'caller' | 'agent';
  readonly text: string;
  /** May still be revised. */
  readonly interim: string;
  readonly isOver: boolean;
  /** The caller cut it short. */
  readonly isCut: boolean;
  /** From the end of the caller's speech to the answer: at the gateway, and at the caller's ear. */
  readonly gatewayMs?: number;
  readonly earMs?: number;
  /** Since the call was answered. */
  readonly startedMs?: number;
}

export interface TalkEnd {
  readonly party: string;
  readonly reason: string;
  readonly seconds: number;
}
/** Why there is no call, or none any more: a code of the gateway, `microphone.*`, `lost` or `unreachable`. */
export interface TalkProblem {
  readonly code: string;
  readonly message: string;
  readonly requestId?: string | undefined;
}
export type TalkPhase = 'idle' | 'microphone' | 'connecting' | 'talking' | 'ended' | 'failed';

export interface TalkState {
  readonly phase: TalkPhase;
  readonly lines: readonly TalkLine[];
  readonly callId: string | undefined;
  readonly minuteCents: number | undefined;
  readonly end: TalkEnd | undefined;
  readonly problem: TalkProblem | undefined;
  /** Was heard, and its turn has not been told yet. */
  readonly earMs: number | undefined;
}

export type TalkEvent =
  | { readonly type: 'start' }
  | { readonly type: 'connect' }
  | { readonly type: 'priced'; readonly minuteCents: number }
  | { readonly type: 'frame'; readonly frame: TalkFrame }
  | { readonly type: 'answerHeard'; readonly earMs: number }
  /** By the person, before there was a call. */
  | { readonly type: 'cancelled' }
  | { readonly type: 'closed' }
  | { readonly type: 'problem'; readonly problem: TalkProblem };

export const NO_TALK: TalkState = {
  ...{ phase: 'idle', lines: [], callId: undefined, minuteCents: undefined },
  ...{ end: undefined, problem: undefined, earMs: undefined },
};

/** Of a call of an hour; the older ones are in its record. */
const LINES_MAX = 400;
const LOST: TalkProblem = { code: 'lost', message: 'The connection broke; the call is over.' };

/** The talk after `event`. What comes after its end means nothing. */
export function talkAfter(state: TalkState, event: TalkEvent): TalkState {
  if (event.type === 'start') return { ...NO_TALK, phase: 'microphone' };
  if (state.phase === 'ended' || state.phase === 'failed' || state.phase === 'idle') return state;
  switch (event.type) {
    case 'connect':
      return { ...state, phase: 'connecting' };
    case 'priced':
      return { ...state, minuteCents: event.minuteCents };
    case 'answerHeard':
      return { ...state, earMs: event.earMs };
    case 'cancelled':
      return NO_TALK;
    case 'problem':
      return { ...state, phase: 'failed', problem: event.problem, lines: settled(state.lines) };
    case 'closed':
      return { ...state, phase: 'failed', problem: LOST, lines: settled(state.lines) };
    case 'frame':
      return afterFrame(state, event.frame);
  }
}

function afterFrame(state: TalkState, frame: TalkFrame): TalkState {
  switch (frame.type) {
    case 'opened':
      return { ...state, phase: 'talking', callId: frame.call_id };
    case 'transcript':
      return withLine(state, 'caller', (line) =>
        frame.final ? { ...line, text: joined(line.text, frame.text), interim: '' } : { ...line, interim: frame.text },
      );
    case 'sentence':
      return withLine(state, 'agent', (line) => ({ ...line, text: joined(line.text, frame.text) }));
    case 'clear':
      return changed(state, openLine(state.lines, 'agent'), (line) => ({ ...line, isCut: true }));
    case 'turn':
      return afterTurn(state, frame);
    case 'ended':
      return { ...state, phase: 'ended', end: frame, lines: settled(state.lines) };
    case 'error':
      return { ...state, phase: 'failed', problem: frame.error, lines: settled(state.lines) };
    default:
      return state;
  }
}

/** A turn is what goes on record: of the agent, what was really heard. Only an answer has a latency, and so only it was waited for. */
function afterTurn(state: TalkState, turn: TalkTurn): TalkState {
  const { role, text, started_ms: startedMs, latency_ms: gatewayMs } = turn;
  const { earMs } = state;
  const isAnswer = role === 'agent' && gatewayMs !== undefined;
  const after = withLine(state, role, (line) => ({
    ...line,
    ...{ text, interim: '', isOver: true, startedMs },
    ...(isAnswer && { gatewayMs, ...(earMs !== undefined && { earMs }) }),
  }));
  return role === 'agent' ? { ...after, earMs: undefined } : after;
}

const joined = (before: string, after: string): string => (before === '' ? after : `${before} ${after}`);

/** The newest line of that side that goes on. */
const openLine = (lines: readonly TalkLine[], role: TalkLine['role']): TalkLine | undefined =>
  lines.findLast((line) => line.role === role && !line.isOver);

function withLine(state: TalkState, role: TalkLine['role'], change: (line: TalkLine) => TalkLine): TalkState {
  const open = openLine(state.lines, role);
  if (open) return changed(state, open, change);
  const id = (state.lines.at(-1)?.id ?? 0) + 1;
  const line = change({ id, role, text: '', interim: '', isOver: false, isCut: false });
  return { ...state, lines: [...state.lines, line].slice(-LINES_MAX) };
}

function changed(state: TalkState, which: TalkLine | undefined, change: (line: TalkLine) => TalkLine): TalkState {
  if (!which) return state;
  return { ...state, lines: state.lines.map((line) => (line === which ? change(line) : line)) };
}

const settled = (lines: readonly TalkLine[]): readonly TalkLine[] =>
  lines.map((line) => (line.isOver ? line : { ...line, isOver: true }));

/** The middle one of what was waited for at the ear; undefined without any. */
export function medianEarMs(lines: readonly TalkLine[]): number | undefined {
  const waits = lines.flatMap(({ earMs }) => (earMs === undefined ? [] : [earMs])).sort((a, b) => a - b);
  return waits[Math.floor((waits.length - 1) / 2)];
}
