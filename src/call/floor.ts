/**
 * Who has the floor. One instance a call, owned by `Conversation`, where the effects are.
 *
 *   listening --speechEnd--> endpointing --input--> thinking --audio--> speaking --done--> listening
 *       ^---------speechStart-----'                        |                   |
 *       ^--------------------- interrupt ------------------+-------------------'   (barge-in)
 *
 *   speaking --speechStart--> yielding, softer, until the caller's voice is judged --keep--> speaking
 *
 *   endpointing --excuse--> excusing, while the words take their time --done--> endpointing
 *
 *   these six --hold--> held --resume--> listening, and on from there to what waited
 *   thinking, speaking --transfer--> transferring --transferFailed--> speaking
 *   all of these --close--> closing
 *
 * The caller is heard (voice and keys) in the states that take `input`, and in no other.
 */
export const FLOOR_TRANSITIONS = {
  // `input`: a turn to answer, spoken, keyed, or silence that lasted. `prompt`: the gateway itself speaks (greeting,
  // resumed sentence, apology); no caller turn came before.
  listening: { speechEnd: 'endpointing', input: 'thinking', prompt: 'speaking', hold: 'held', close: 'closing' },
  endpointing: {
    ...{ speechStart: 'listening', discard: 'listening', excuse: 'excusing' },
    ...{ input: 'thinking', prompt: 'speaking', hold: 'held', close: 'closing' },
  },
  // The agent says that it needs a moment: the turn is over, its words are not there yet. `interrupt`: it goes on after all.
  excusing: {
    ...{ done: 'endpointing', interrupt: 'listening' },
    ...{ input: 'thinking', prompt: 'speaking', hold: 'held', close: 'closing' },
  },
  // `interrupt`: the caller went on talking before any answer was heard, so the turn was not over after all.
  thinking: {
    ...{ audio: 'speaking', done: 'listening', interrupt: 'listening', transfer: 'transferring' },
    ...{ input: 'thinking', prompt: 'speaking', hold: 'held', close: 'closing' },
  },
  speaking: {
    speechStart: 'yielding',
    ...{ done: 'listening', interrupt: 'listening', transfer: 'transferring' },
    ...{ input: 'thinking', prompt: 'speaking', hold: 'held', close: 'closing' },
  },
  // The caller's voice over the agent's, not yet judged. `keep`: a listening noise, or nothing. No `speechEnd`: the words of
  // what ended are still to come.
  yielding: {
    ...{ keep: 'speaking', done: 'listening', interrupt: 'listening', transfer: 'transferring' },
    ...{ input: 'thinking', prompt: 'speaking', hold: 'held', close: 'closing' },
  },
  // The caller holds us: nothing is heard, what the agent says waits. `prompt`: something more to say after it.
  held: { resume: 'listening', prompt: 'held', close: 'closing' },
  // From the decision on, through its last words, until the outcome of the REFER. A peer may hold us meanwhile.
  transferring: { transferFailed: 'speaking', hold: 'transferringHeld', close: 'closing' },
  transferringHeld: { transferFailed: 'held', resume: 'transferring', close: 'closing' },
  // The last words, then the end. `close`: another reason to end, which bounds them; `hold`: nobody hears them any more.
  closing: { close: 'closing', hold: 'closing' },
  finished: {},
} as const;

export type FloorState = keyof typeof FLOOR_TRANSITIONS;
export type FloorEvent =
  | 'speechStart'
  | 'speechEnd'
  | 'discard'
  | 'excuse'
  | 'input'
  | 'audio'
  | 'keep'
  | 'interrupt'
  | 'done'
  | 'prompt'
  | 'hold'
  | 'resume'
  | 'transfer'
  | 'transferFailed'
  | 'close'
  | 'finish';

/** The state after `event`, or undefined where it means nothing. `finish` ends every state. */
export function nextFloorState(state: FloorState, event: FloorEvent): FloorState | undefined {
  if (event === 'finish') return 'finished';
  return (FLOOR_TRANSITIONS[state] as Partial<Record<FloorEvent, FloorState>>)[event];
}

/** Whether the caller is listened to. */
export const hears = (state: FloorState): boolean => 'input' in FLOOR_TRANSITIONS[state];

/** Whether the caller has put us on hold: what is written to the media port waits there. */
export const onHold = (state: FloorState): boolean => state === 'held' || state === 'transferringHeld';

/** Whether the agent is leaving for a person, and nothing was decided since. */
export const awaitsTransfer = (state: FloorState): boolean => 'transferFailed' in FLOOR_TRANSITIONS[state];

/** Whether the agent speaks, at whatever level. */
export const speaks = (state: FloorState): boolean => state === 'speaking' || state === 'yielding';

/** What follows from the state alone. */
export interface FloorEffects {
  /** The caller begins or ceases to be listened to. Not told of the end. */
  hearing(listened: boolean): void;
  /** The agent is to be softer, or as loud as before. */
  yielding(softer: boolean): void;
  /** It is in another state, or in the same one again. */
  moved(): void;
}

/** The floor of one call. */
export class Floor {
  #state: FloorState = 'listening';
  constructor(private readonly effects: FloorEffects) {}

  get state(): FloorState {
    return this.#state;
  }

  /** @returns false where the event means nothing now: nothing happened. */
  go(event: FloorEvent): boolean {
    const before = this.#state;
    const next = nextFloorState(before, event);
    if (!next) return false;
    this.#state = next;
    this.effects.moved();
    if ((before === 'yielding') !== (next === 'yielding')) this.effects.yielding(next === 'yielding');
    if (hears(before) !== hears(next) && next !== 'finished') this.effects.hearing(hears(next));
    return true;
  }
}
