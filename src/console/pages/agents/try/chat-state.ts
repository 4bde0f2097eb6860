import type { TriedTurn } from '../../../api/generated/operations.ts';

/** What somebody does in place of speaking. */
export type ChatInput = 'speech' | 'keypad' | 'silence';

export interface ChatLine {
  readonly id: number;
  readonly role: 'caller' | 'agent';
  readonly text: string;
  readonly input?: ChatInput;
  /** Of the agent: why it said that. */
  readonly tried?: TriedTurn;
}
export interface ChatTurn {
  readonly role: 'caller' | 'agent';
  readonly text: string;
}

/** The most that a request may bring. */
const HISTORY_MAX = 200;
/** Actions after which nobody listens any more. */
const LAST_ACTIONS: readonly string[] = ['hangup', 'transfer'];

/** What was said up to now, as the next request brings it: silence is no turn. */
export const historyOf = (lines: readonly ChatLine[]): ChatTurn[] =>
  lines.flatMap(({ role, text }) => (text === '' ? [] : [{ role, text }])).slice(-HISTORY_MAX);

/** What the caller sends: keys are keys only where they are ones. */
export function inputOf(text: string, wantsKeys: boolean): ChatInput {
  if (text.trim() === '') return 'silence';
  return wantsKeys && /^[0-9*#]+$/.test(text.trim()) ? 'keypad' : 'speech';
}

export const actionOf = ({ action }: TriedTurn): string | undefined =>
  (action as { readonly type?: string } | null)?.type ?? undefined;

/** Whether the agent has hung up or handed over. */
export function isOver(lines: readonly ChatLine[]): boolean {
  const tried = lines.at(-1)?.tried;
  return tried !== undefined && LAST_ACTIONS.includes(actionOf(tried) ?? '');
}
