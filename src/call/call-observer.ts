import type { TurnRecord } from '../billing/contract.ts';

/** What goes on in a conversation, as it happens. Texts are personal data. */
export type CallObservation =
  /** Of the caller. One that is not final may be revised; a final one settles a stretch of speech. */
  | { readonly type: 'heard'; readonly text: string; readonly final: boolean }
  /** A sentence that the agent begins to speak, or waits to: how much of it is heard is told by its turn. */
  | { readonly type: 'says'; readonly text: string }
  /** A turn that is over, as it goes on record. */
  | { readonly type: 'turn'; readonly turn: TurnRecord };

/** Follows one conversation. Never throws, and returns at once. */
export type CallObserver = (observation: CallObservation) => void;

/** All of them as one; undefined where nobody follows. */
export function observers(...all: readonly (CallObserver | undefined)[]): CallObserver | undefined {
  const some = all.filter((one) => one !== undefined);
  if (some.length < 2) return some[0];
  return (observation) => {
    for (const one of some) one(observation);
  };
}
