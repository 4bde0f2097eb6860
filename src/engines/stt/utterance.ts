import type { SlotRules } from './slot-rules.ts';

/** One way from a place in a caller's turn to the next. Places are named; a turn goes from `start` to `end`. */
export interface Way {
  readonly from: string;
  readonly to: string;
  /** In the notation of `pattern.ts`; '' says nothing. */
  readonly says: string;
}

/** What may be said in one turn. */
export interface Sayable {
  /** Wishes and questions that are found within other sounds too. */
  readonly long: readonly string[];
  /** Those too short for that. */
  readonly short: readonly string[];
  /** Of the short ones those that nobody wants or asks for: answers and listening noises. */
  readonly aside: readonly string[];
  /** Kinds of answers, yes and no apart. */
  readonly values: readonly SlotRules[];
  readonly yesNo: SlotRules | undefined;
  /** Yes or no is what was asked. */
  readonly isYesNo: boolean;
}

/**
 * What each thing beyond the expected costs, as a weight: these keep short words from filling every sound. Found by
 * measurement, see the bench.
 */
const COST = {
  lead: 0.01,
  opener: 0.01,
  tail: 0.02,
  bridge: 0.01,
  answer: 0.02, // a value after a wish
  short: 0.2,
  turn: 0.01, // but, and
  value: 0.02, // a value right after a yes or no
  yes: 0.02, // a yes or no before a wish
  again: 0.001, // a wish right after an answer
  open: 0.001, // "yes but", and then something else
  unasked: 0.05, // a yes or no where a value was asked for
};

/** Draws attention, or gains time. */
const OPENER =
  '(hello | hi | hey | good morning | good afternoon | good evening | um | uh | well | so | okay | sorry | excuse me | actually | wait | hold on | please)';
/** What surrounds a wish without changing it, or forbids it. */
const LEAD_IN =
  "(i want to | i would like to | i'd like to | i need to | i want | i need | i would like | i'd like | can you | " +
  "could you | can i | could i | may i | can you please | could you please | help me | i'm calling to | i am calling to | " +
  "i'm calling about | i am calling about | i have a question about | tell me | first | first tell me | can you tell me | " +
  "could you tell me | do you know | what about | how about | i'm trying to | i am trying to | i wanna | it's about | " +
  "let me | please | do not | don't | i do not want to | i don't want to)";
const TAIL = '(please | thanks | thank you | now | right now | today | for me | if possible)';
const BRIDGE = "(number | it's | it is | is | for | on | at | and | order number | with | with number | the number is)";
/** Turns from an answer, or from a wish, to the next thing. */
const TURN = '(but | and | but first | but wait | and then | and also | also | because | wait | sorry | actually)';
/** The same where what follows is not in the grammar: it is worth knowing that there is something. */
const OBJECTION = '(but | but first | but wait | but first tell me | but tell me | but before that)';
/** Before a value that is another than the one that was understood. */
const CORRECTION = '(i meant | i mean | i said | it should be | make it | change it to | rather | wait | sorry)';

const or = (parts: readonly string[]): string => `(${parts.join(' | ')})`;

/**
 * The turns of a caller as a network: an opener, a yes or no, values, a wish or a question, and what turns from one to the
 * next ("yes but when are you open", "no four five two one", "track my order and where is your office"). Every part is in it
 * once, whatever leads to it, so it grows with what may be said and not with how that is put together.
 *
 * @param noise - the pattern of any sound.
 * @param sayable - at least one of its parts is not empty.
 */
export function waysThrough(noise: string, { long, short, aside, values, yesNo, isYesNo }: Sayable): Way[] {
  const ways: Way[] = [];
  const way = (from: string, to: string, says: string): void => void ways.push({ from, to, says });
  const hasWishes = long.length > 0;
  const hasWords = short.length + aside.length > 0;
  const cost = hasWishes ? COST.short : 1;
  way('start', 'begun', '');
  way('start', 'begun', `/${COST.opener}/ ${OPENER}`);
  if (yesNo) {
    way('begun', 'answered', `/${isYesNo ? 1 : COST.unasked}/ [/${COST.lead}/ ${yesNo.lead}] ${yesNo.rule}`);
    way('answered', 'over', '');
    way('answered', 'end', `/${COST.open}/ ${OBJECTION} ${noise}+`);
    way('answered', 'turned', `/${COST.turn}/ ${TURN}`);
    way('answered', 'wish', `/${COST.yes}/ [${OPENER}]`);
    if (values.length > 0) way('answered', 'value', `/${COST.value}/ [/${COST.lead}/ ${CORRECTION}]`);
    if (hasWords) way('answered', 'word', `/${COST.again}/ ()`);
  }
  if (values.length > 0) {
    way('begun', 'value', `/${cost}/ ()`);
    for (const { lead, rule } of values) way('value', 'valued', `[/${COST.lead}/ ${lead}] ${rule}`);
    way('valued', 'over', '');
    way('valued', 'turned', `/${COST.turn}/ ${TURN}`);
    way('turned', 'value', `/${COST.answer}/ ()`);
  }
  if (hasWords) way('begun', 'word', `/${cost}/ ()`);
  if (short.length > 0) way('word', 'over', `[/${COST.lead}/ ${LEAD_IN}] ${or(short)}`);
  // "i want yes" would be what is heard of "i want to" before a pause.
  if (aside.length > 0) way('word', 'over', or(aside));
  if (hasWishes) {
    way('begun', 'wish', '');
    way('start', 'wish', `${noise}+`);
    way('turned', 'wish', '');
    way('wish', 'wished', `[/${COST.lead}/ ${LEAD_IN}] ${or(long)}`);
    way('wished', 'over', '');
    way('wished', 'end', `[/${COST.tail}/ ${TAIL}] ${noise}+`);
    way('wished', 'turned', `/${COST.again}/ ${TURN}`);
    if (values.length > 0) way('wished', 'value', `/${COST.answer}/ [/${COST.bridge}/ ${BRIDGE}]`);
  }
  if (hasWishes || hasWords) way('start', 'end', `${noise}+`);
  way('over', 'end', `[/${COST.tail}/ ${TAIL}]`);
  return ways;
}
