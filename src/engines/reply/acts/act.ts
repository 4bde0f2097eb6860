import type { Span } from '../../../language/phrases/phrases-in.ts';
import type { Word } from '../../../language/words.ts';
import type { Guess } from '../compiled-agent.ts';

/** What a caller does with a sentence, each with the words it rests on. */
export type Act =
  /** `conditional`: a yes with a but. */
  | { readonly type: 'affirm'; readonly span: Span; readonly conditional: boolean }
  | { readonly type: 'deny'; readonly span: Span }
  /** `id`: the meaning that is not to be done; `sure`: said in so many words. */
  | { readonly type: 'forbid'; readonly span: Span; readonly id: string; readonly sure: boolean }
  | { readonly type: 'request'; readonly span: Span; readonly guess: Guess }
  | { readonly type: 'correct'; readonly span: Span }
  | { readonly type: 'hesitate'; readonly span: Span }
  | { readonly type: 'leave'; readonly span: Span }
  | { readonly type: 'trouble'; readonly span: Span; readonly kind: 'complaint' | 'emergency' };
export type ActType = Act['type'];

/** A sentence as it was understood. */
export interface Heard {
  readonly words: readonly Word[];
  readonly text: string;
  readonly acts: readonly Act[];
  /** What may be meant, most likely first, without what is forbidden. */
  readonly guesses: readonly Guess[];
  readonly forbidden: ReadonlySet<string>;
  /** The words without what is not to be done and without values that are refused. */
  readonly wanted: readonly Word[];
  /** Two wishes, or one, that a model and the words do not agree about: asked about. */
  readonly doubts?: readonly Guess[];
  /** Slot whose value a model took to be called wrong. */
  readonly wrong?: string;
  /** A model took it for a question, which is no answer to the pending one. */
  readonly aside?: boolean;
}

export function actOf<T extends ActType>(heard: Heard, type: T): Extract<Act, { type: T }> | undefined {
  return heard.acts.find((act): act is Extract<Act, { type: T }> => act.type === type);
}
