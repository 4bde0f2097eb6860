/**
 * Whose turn it is. One instance a call, owned by `Conversation`.
 *
 *   listening --speechEnd--> endpointing --complete--> thinking --audio--> speaking --done--> listening
 *       ^---------speechStart-----'                        |                   |
 *       ^--------------------- interrupt ------------------+-------------------'   (barge-in)
 */
export const TURN_TRANSITIONS = {
  // `prompt`: the gateway itself speaks (greeting, resumed sentence, apology); no caller turn came before.
  listening: { speechEnd: 'endpointing', input: 'thinking', prompt: 'speaking' },
  endpointing: {
    speechStart: 'listening',
    complete: 'thinking',
    input: 'thinking',
    discard: 'listening',
    prompt: 'speaking',
  },
  // `interrupt`: the caller went on talking before any answer was heard, so the turn was not over after all.
  thinking: { audio: 'speaking', interrupt: 'listening', nothing: 'listening', prompt: 'speaking', input: 'thinking' },
  // `input`: keys pressed while the agent speaks. No `speechEnd`: short sounds that did not interrupt change nothing.
  speaking: { done: 'listening', interrupt: 'listening', input: 'thinking', prompt: 'speaking' },
  finished: {},
} as const;

export type TurnState = keyof typeof TURN_TRANSITIONS;
export type TurnEvent =
  | 'speechStart'
  | 'speechEnd'
  | 'complete'
  | 'discard'
  | 'input'
  | 'audio'
  | 'nothing'
  | 'interrupt'
  | 'done'
  | 'prompt'
  | 'finish';

/** The state after `event`, or undefined where it means nothing. `finish` ends every state. */
export function nextTurnState(state: TurnState, event: TurnEvent): TurnState | undefined {
  if (event === 'finish') return 'finished';
  return (TURN_TRANSITIONS[state] as Partial<Record<TurnEvent, TurnState>>)[event];
}
