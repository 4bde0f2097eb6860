import type { Language } from '../../core/agent.ts';
import type { SlotValue } from '../../language/values/slot.ts';

/** What the agent waits for. */
export type Pending =
  | { readonly kind: 'open' } // anything the agent understands
  | { readonly kind: 'slot'; readonly slot: string }
  | { readonly kind: 'confirm-slot'; readonly slot: string }
  | { readonly kind: 'confirm-flow' }
  | { readonly kind: 'change' } // asked what to change
  | { readonly kind: 'choose'; readonly options: readonly string[]; readonly utterance: string }; // meaning ids

export type PendingKind = Pending['kind'];

/** A dialogue between two turns; rebuilt from the history each time, kept nowhere. Never changed in place. */
export interface DialogueState {
  readonly language: Language;
  /** That was asked for in the last turn. */
  readonly wished: Language | undefined;
  readonly pending: Pending;
  readonly flow: string | undefined;
  /** What was said when the flow began. */
  readonly begunBy: string;
  readonly slots: Readonly<Record<string, SlotValue>>;
  readonly confirmed: readonly string[]; // slots that were said back and agreed
  /** How often the pending question was answered with something unusable. */
  readonly attempts: number;
  /** Look-ups of this flow that found nothing. */
  readonly failures: number;
  /** Second facts of this call that did not fit. */
  readonly strange: number;
  readonly noMatch: number;
  readonly noInput: number;
  readonly turn: number;
  /** Whether something was done or answered since the call began: then `no` means goodbye. */
  readonly served: boolean;
  readonly lastText: string;
  /** What was last answered or done: the same once more leads nowhere. */
  readonly lastAnswers: string;
  readonly lastFlow: string | undefined;
  /** What was last done that changes something: the same once more is asked about. */
  readonly lastDone: DoneLast | undefined;
  /** Those close to the caller who were spoken of when the flow began: whom it may be for. */
  readonly kin: readonly string[];
  /** What was last asked back, and not answered: asked once more it leads nowhere. */
  readonly askedBack: string;
  /** Identifiers given earlier in the call, by slot name, offered to later flows. */
  readonly memory: Readonly<Record<string, SlotValue>>;
  /** Digits of the number that is asked for, said so far. */
  readonly digits: string;
  /** Wishes said in one breath with the one that is served: done when it is. */
  readonly later: readonly LaterWish[];
  /** Where the talk was when a person was asked for: come back to when nobody takes the call. */
  readonly left: LeftFlow | undefined;
  /** Turns in a row after which everything was as before. */
  readonly still: number;
  /** Turns since something was done or a question answered. */
  readonly idle: number;
  /** Turns since then that came back to one of these places. */
  readonly returns: number;
  readonly places: readonly string[];
}

export interface DoneLast extends Pick<DialogueState, 'slots' | 'kin'> {
  readonly flow: string;
}

export interface LeftFlow extends Pick<DialogueState, 'pending' | 'slots' | 'confirmed'> {
  readonly flow: string;
}

export interface LaterWish {
  readonly ids: readonly string[]; // of the meanings; none where nothing is known of it
  readonly utterance: string;
  /** Done without being asked about. */
  readonly sure: boolean;
}

export function initialState(language: Language): DialogueState {
  return {
    language,
    wished: undefined,
    pending: { kind: 'open' },
    flow: undefined,
    begunBy: '',
    slots: {},
    confirmed: [],
    attempts: 0,
    failures: 0,
    strange: 0,
    noMatch: 0,
    noInput: 0,
    turn: 0,
    served: false,
    lastText: '',
    lastAnswers: '',
    lastFlow: undefined,
    lastDone: undefined,
    kin: [],
    askedBack: '',
    memory: {},
    digits: '',
    later: [],
    left: undefined,
    still: 0,
    idle: 0,
    returns: 0,
    places: [],
  };
}

/** What a caller's turn can be to the dialogue. */
export type DialogueEvent =
  | 'yes'
  | 'no'
  | 'value' // an answer to the pending question
  | 'intent' // another wish
  | 'question' // answered from knowledge
  | 'cancel'
  | 'human'
  | 'repeat'
  | 'goodbye'
  | 'silence'
  | 'unknown';

const ANY_STEP: readonly PendingKind[] = ['slot', 'confirm-slot', 'confirm-flow', 'open'];
const STAYS_OR_ENDS = <K extends PendingKind>(kind: K): readonly PendingKind[] => [kind, 'open'];

/**
 * Which question may follow which, by event; a test walks every state with every event and holds the engine to it.
 * `value` and `yes` lead on to the next slot, the read-back, or the end of the flow. A question in the middle
 * (`question`, `repeat`) returns to where it was; a goodbye, a transfer or a third misunderstanding leaves the flow.
 */
export const DIALOGUE_TRANSITIONS: Readonly<
  Record<PendingKind, Readonly<Record<DialogueEvent, readonly PendingKind[]>>>
> = {
  open: {
    yes: ['open'],
    no: ['open'],
    value: ['open', 'slot', 'confirm-slot', 'confirm-flow'],
    intent: [...ANY_STEP, 'choose'],
    question: ['open', 'choose'],
    cancel: ['open', 'choose', 'slot', 'confirm-slot', 'confirm-flow'], // many agents have something to cancel
    human: ['open'],
    repeat: ['open'],
    goodbye: ['open'],
    silence: ['open'],
    unknown: ['open'],
  },
  slot: {
    yes: ANY_STEP,
    no: ANY_STEP,
    value: ANY_STEP,
    intent: ANY_STEP,
    question: ['slot'],
    cancel: ['open', 'slot'],
    human: ['open'],
    repeat: ['slot'],
    goodbye: ['open'],
    silence: STAYS_OR_ENDS('slot'),
    unknown: ANY_STEP, // a free text or a name takes what it gets
  },
  'confirm-slot': {
    yes: ANY_STEP,
    no: ['slot', 'open'],
    value: ANY_STEP,
    intent: ANY_STEP,
    question: ['confirm-slot'],
    cancel: ['open', 'slot'],
    human: ['open'],
    repeat: ['confirm-slot'],
    goodbye: ['open'],
    silence: STAYS_OR_ENDS('confirm-slot'),
    unknown: STAYS_OR_ENDS('confirm-slot'),
  },
  'confirm-flow': {
    yes: ANY_STEP,
    no: ['change', 'open'],
    value: ['confirm-flow', 'confirm-slot', 'slot'],
    intent: ANY_STEP,
    question: ['confirm-flow'],
    cancel: ['open', 'change', 'slot'],
    human: ['open'],
    repeat: ['confirm-flow'],
    goodbye: ['open'],
    silence: STAYS_OR_ENDS('confirm-flow'),
    unknown: STAYS_OR_ENDS('confirm-flow'),
  },
  change: {
    yes: ['change', 'confirm-flow', 'slot'],
    no: ['open', 'confirm-flow'],
    value: ['confirm-flow', 'confirm-slot', 'slot', 'change'],
    intent: ['change', ...ANY_STEP],
    question: ['change'],
    cancel: ['open', 'slot'],
    human: ['open'],
    repeat: ['change'],
    goodbye: ['open'],
    silence: STAYS_OR_ENDS('change'),
    unknown: STAYS_OR_ENDS('change'),
  },
  choose: {
    yes: [...ANY_STEP, 'choose'],
    no: ['open'],
    value: [...ANY_STEP, 'choose'],
    intent: [...ANY_STEP, 'choose'],
    question: ['open', 'choose'],
    cancel: [...ANY_STEP, 'choose'],
    human: ['open'],
    repeat: ['choose'],
    goodbye: ['open'],
    silence: STAYS_OR_ENDS('choose'),
    unknown: STAYS_OR_ENDS('choose'),
  },
};
