import type { Language } from '../core/agent.ts';

/**
 * Which of two recognisers hear a caller, each of whom hears one language. Pure: the state after every turn of the caller.
 *
 * - `first`: both, until a turn tells the language.
 * - `one`: that of `language`.
 * - `doubted`: both, since a sentence was in the other language.
 */
export type EarPhase = 'first' | 'one' | 'doubted';

export interface EarState {
  readonly phase: EarPhase;
  /** Whose words count where neither was better, and who hears alone. */
  readonly language: Language;
  /** Turns since this phase began. */
  readonly turns: number;
}

/**
 * What a turn of the caller was to the recogniser of `language`: a sentence in it or in the other language, a word or two of either, or
 * neither (numbers, names, borrowed words, nothing).
 */
export type EarEvent = 'own' | 'own-briefly' | 'other' | 'other-briefly' | 'neither' | 'own-wished' | 'other-wished';

/** `switch`: to `one`, in the other language. What is absent changes nothing. */
export const EAR_TRANSITIONS: Readonly<Record<EarPhase, Readonly<Partial<Record<EarEvent, EarPhase | 'switch'>>>>> = {
  first: {
    ...{ own: 'one', 'own-briefly': 'one', 'own-wished': 'one' },
    ...{ other: 'switch', 'other-briefly': 'switch', 'other-wished': 'switch' },
  },
  one: { other: 'doubted', 'other-wished': 'switch' },
  doubted: { own: 'one', 'own-wished': 'one', other: 'switch', 'other-wished': 'switch' },
};

/** Turns that tell nothing, while two recognisers hear and are paid: then that of `language` hears alone. */
const BOTH_TURNS_MAX = 3;
/** Words that make a sentence of it: digits, names and a borrowed word are fewer. */
export const SENTENCE_WORDS = 3;

export const otherThan = (language: Language): Language => (language === 'ar' ? 'en' : 'ar');

export function nextEars(state: EarState, event: EarEvent): EarState {
  const next = EAR_TRANSITIONS[state.phase][event];
  if (next === 'switch') return { phase: 'one', language: otherThan(state.language), turns: 0 };
  if (next) return { ...state, phase: next, turns: 0 };
  const turns = state.turns + 1;
  if (state.phase !== 'one' && turns >= BOTH_TURNS_MAX) return { ...state, phase: 'one', turns: 0 };
  return { ...state, turns };
}

/** What was said, as an event. @param words - of the language it was in. */
export function earEvent(
  state: EarState,
  said: { readonly language: Language; readonly words: number } | undefined,
): EarEvent {
  if (!said || said.words === 0) return 'neither';
  const whose = said.language === state.language ? 'own' : 'other';
  return said.words >= SENTENCE_WORDS ? whose : `${whose}-briefly`;
}
