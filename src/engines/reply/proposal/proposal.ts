import type { PendingKind } from '../dialogue-state.ts';

/**
 * What a model may say that a caller does with a sentence. None of them holds a value: values are read by the slots of the
 * agent from the caller's own words.
 */
export const PROPOSED_ACTS = [
  'request', // `of`: the wish
  'forbid', // `of`: the wish that is not to be done
  'question', // `of`: the topic that answers it, where there is one
  'wrong', // `of`: the slot whose value, read back or being changed, is not right
  'other', // said to somebody else, or nothing that the agent is for
  'affirm', // `but`: on a condition
  'deny',
  'leave',
  'hesitate',
  'human',
  'repeat',
  'help',
  'hello',
  'thanks',
  'goodbye',
  'complaint',
  'emergency',
] as const;
export type ProposedType = (typeof PROPOSED_ACTS)[number];

export interface ProposedAct {
  readonly type: ProposedType;
  /** The caller's words that say so. */
  readonly words: string;
  /** Id of a meaning (`intent:track`, `knowledge:3`), or the name of a slot. */
  readonly of?: string;
  readonly but?: boolean;
}

/** How a model reads one sentence, and words of its own. Nothing of it is believed before it was judged. */
export interface Proposal {
  readonly acts: readonly ProposedAct[];
  /** Said only where no rule has something to say; '' for nothing. */
  readonly say: string;
  /** Why parts of it were left out before, for the trace. */
  readonly leftOut?: readonly string[];
}

/** Where a dialogue stands, in names of the agent's file: no value of a caller. */
export interface Scene {
  readonly waits: PendingKind;
  readonly flow?: string;
  readonly slot?: string;
  /** Labels of what was offered to choose from. */
  readonly options?: readonly string[];
}

export const PROPOSAL_LIMITS = { textChars: 8_000, acts: 6, wordsChars: 300, nameChars: 64, sayChars: 600 } as const;

/**
 * A model's answer as a proposal: one JSON object, whatever stands around it. An answer without any JSON is words only.
 * What has not the shape is left out and named in `leftOut`. Never throws.
 *
 * @returns undefined for JSON that cannot be read.
 */
export function readProposal(answer: string): Proposal | undefined {
  const text = answer.slice(0, PROPOSAL_LIMITS.textChars);
  const start = text.indexOf('{');
  if (start < 0) return { acts: [], say: text.trim().slice(0, PROPOSAL_LIMITS.sayChars) };
  const fields = objectIn(text.slice(start, text.lastIndexOf('}') + 1));
  if (!fields) return undefined;
  const given = Array.isArray(fields['acts']) ? (fields['acts'] as unknown[]) : [];
  const acts = given.slice(0, PROPOSAL_LIMITS.acts).map(actOf);
  const odd = given.length - acts.filter((act) => act !== undefined).length;
  const say = typeof fields['say'] === 'string' ? fields['say'].trim().slice(0, PROPOSAL_LIMITS.sayChars) : '';
  return {
    acts: acts.filter((act) => act !== undefined),
    say,
    ...(odd > 0 && { leftOut: [`${odd} act${odd > 1 ? 's' : ''}: not of the shape that was asked for, or too many`] }),
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

function actOf(given: unknown): ProposedAct | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { type, words, wish, topic, slot, but } = given as Readonly<Record<string, unknown>>;
  if (!isProposed(type) || typeof words !== 'string' || words.length > PROPOSAL_LIMITS.wordsChars) return undefined;
  const of = ofWhat(type, { wish, topic, slot });
  return { type, words, ...(of !== undefined && { of }), ...(but === true && { but: true }) };
}

function isProposed(type: unknown): type is ProposedType {
  return PROPOSED_ACTS.some((one) => one === type);
}

function ofWhat(type: ProposedType, named: Readonly<Record<'wish' | 'topic' | 'slot', unknown>>): string | undefined {
  const name = (given: unknown): string | undefined =>
    typeof given === 'string' && given !== '' && given.length <= PROPOSAL_LIMITS.nameChars ? given : undefined;
  if (type === 'wrong') return name(named.slot);
  if (type === 'question') {
    const number = typeof named.topic === 'string' && /^\d{1,4}$/.test(named.topic) ? Number(named.topic) : named.topic;
    return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? `knowledge:${number}` : undefined;
  }
  const wish = name(named.wish);
  return wish === undefined || (type !== 'request' && type !== 'forbid') ? undefined : `intent:${wish}`;
}
