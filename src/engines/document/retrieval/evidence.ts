import type { Sentence } from './blocks.ts';

/**
 * What speaks for and against a sentence as the answer, each 0..1. `Hard` terms are those that may not stand in just any
 * question; shares are by rarity.
 */
export const EVIDENCE = [
  'cover', // share of the question that the sentence and what stands around it speak of
  'own', // share that the sentence says itself
  'hardCover',
  'hardOwn',
  'best', // the rarest hard term that the sentence says itself, against the rarest of the question
  'mass', // rarity of the hard terms it says itself, in all
  'missing', // share of hard terms that stand elsewhere in the document, not here
  'absent', // share of hard terms that the document lacks
  'otherPrice', // the same of a price: what is not said may be whose it is
  'requiredElsewhere', // a name or number stands only elsewhere
  'requiredAbsent', // ... or nowhere
  'focusMissing', // what the question turns on
  'focusRelated', // only by a related word
  'shape', // something of the asked kind stands there
  'shapeBeside', // ... in the next sentence
  'vague', // `after the season`, where a date is asked for
  'noFigure',
  'noDate',
  'noPerson',
  'noPlace',
  'noContact',
  'noReason',
  'headMissing', // what is asked for by name
  'headRelated', // only by a related word
  'eventMissing', // what happened
  'eventRelated',
  'breaks', // something that makes it another matter: the opposite, no unit of the asked measure, the second largest
  'countedAlike', // a number stands beside a related word of what is counted only
  'asks', // the sentence is a question itself
  'heading',
  'unnegated', // the question denies, the sentence does not
  'nothingOwn', // only the title, or a paragraph nearby, speaks of the question
  'phrases', // words of the question side by side
  'names', // somebody is named, where somebody is asked for
  'yesno',
  'asked', // it stands below the same question
  'single', // the question has one hard term at most
] as const;
export type EvidenceName = (typeof EVIDENCE)[number];
/** Where each part of the evidence stands in its vector. */
export const AT = Object.fromEntries(EVIDENCE.map((name, at) => [name, at])) as Readonly<Record<EvidenceName, number>>;

/** A sentence that may be the answer, with what speaks for it. */
export interface Examined {
  readonly block: number;
  readonly sentence: Sentence;
  readonly own: number;
  readonly evidence: Float64Array; // by `EVIDENCE`
}
