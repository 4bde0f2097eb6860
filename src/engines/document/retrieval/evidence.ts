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
  'noName',
  'undated', // opening hours, where the date of something past is asked for
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
  'near', // share of the hard terms said near what may be the answer
  'nearRest', // ... without the terms that the whole document is about
  'plainCover', // share of the hard terms without names, numbers and what the document is about
  'headAbsent', // what is asked for by name, nowhere in the document
  'eventAbsent', // what happened, nowhere in the document
  'groupMissing', // share of the words that name what is asked for (`interest rate`) not said there
  'sameCover', // share of the hard terms in the same words
  'notCounted', // no number beside what is counted
  'noMeasure', // no unit of the asked measure
  'kindMissing', // `which newspaper`, and no newspaper is named
  'newName', // somebody is named whom the question does not name
  'noAnswerPlace', // no word of the sentence may be the answer
  'keyNear', // how near what may be the answer stands to what happened, or to what is asked for by name
  'keyNone', // the question has no such word
  'onlyKey', // of the question, only that word is missing
  'lacks', // nothing of the asked kind here, nor beside
  'lead', // of the first candidate over the best of another paragraph
  'english', // the question: what is said of Arabic words is less sure
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
