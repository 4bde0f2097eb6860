import type { SlotDefinition } from '../../core/agent.ts';
import type { CalendarDay } from '../../language/calendar/calendar.ts';
import { isToldFromAnother } from '../../language/calendar/day-names.ts';
import { pattern } from '../../language/pattern.ts';
import {
  ACCOUNTS,
  AVAILABILITIES,
  OTHER_TIMES,
  POSSIBILITIES,
  REASONS,
  STANDINGS,
  VALUE_OPENERS,
  WISH_OPENERS,
} from '../../language/phrases/cues.ts';
import {
  firstPhrase,
  firstPhraseJoined,
  phrasesIn,
  phraseTable,
  type Span,
  without,
} from '../../language/phrases/phrases-in.ts';
import { SLOT_PARSERS } from '../../language/values/parsers.ts';
import type { SlotContext } from '../../language/values/slot.ts';
import type { Word } from '../../language/words.ts';

const STANDING = phraseTable(`${STANDINGS}|${ACCOUNTS}`);
const WISHES = phraseTable(`${WISH_OPENERS}|${VALUE_OPENERS}|${OTHER_TIMES}|${POSSIBILITIES}`);
/** Verbs of changing with what is changed: `bring it`, `تنقلونه لي`. */
const CHANGES_IT = pattern()`
  ^(?:[انتيب]{0,2}(?:نقل|اجل|اخر|قدم|حط|خل|حول|بدل|غير|عدل)(?:و|ي|ون|ين)?(?:ه|ها)|(?:move|bring|push|shift|change|make|deliver|send) (?:it|them|that))$
`;
/** `can the driver come`: whoever is to do it. */
const ASKED_TO =
  /^(?:can|could|would|will) (?:the|your|a|he|she|they|it|that|this|someone|somebody|anyone|anybody|you|we|i)$/;
/** `موعدي بكرة`: a noun with its owner, and at once when it is. */
const OWNED_NOUN = /^.{2,}ي$/;
/** `موعده عندكم الأحد`, `his appointment is on Sunday`: the words before the day, of an appointment or a delivery there is. */
const ARRANGED = pattern()`
  (?:^| )(?:(?:(?:موعد|ميعاد|حجز|توصيل)(?:ي|ه|ها|نا|هم)|(?:له|لها|لهم|عنده|عندها|عندهم|كان) (?:موعد|ميعاد|حجز))(?: (?:عندكم|معكم|كان|هو|
  يوم))*|(?:appointment|booking|delivery|visit|order) (?:is|was)(?: (?:on|at|for|scheduled|booked|due))*)$
`;
/** `the lamp is coming tomorrow`: what is told of a delivery or a visit. */
const EXPECTED = pattern()`
  (?:^| )(?:(?:is|are|s|its|was|\S+s|youre|theyre) )?(?:coming|comes|arriving|arrives|bringing|delivering|due|booked(?: in)?|scheduled|expected|
  (?:supposed|meant|set|going) to (?:come|arrive|be (?:here|delivered)))(?: (?:it|here|home|to me|to us|in|on|at|by|for|this))*$
`;
const LEADS_TO = new Set(['to', 'till', 'until', 'الي', 'لين', 'ليوم']);
/** `I have an appointment with you on Monday`. */
const MAX_NOUN_WORDS = 3;
const CHANGED = new Set<SlotDefinition['type']>(['date', 'time', 'choice']);
/** Values of one slot in one sentence that tell what there is. */
const MAX_TOLD = 4;

/**
 * Who wants something changed tells what it is before what it shall be: `I have an appointment tomorrow, can you make it
 * Thursday`. The words without the day, the hour and the choice of what there is: those said in the account before the wish.
 *
 * @param slots - of a flow about a record that exists.
 */
export function withoutStanding(
  words: readonly Word[],
  slots: readonly SlotDefinition[],
  today: CalendarDay,
): readonly Word[] {
  const wishes = wishesIn(words);
  let rest = words; // موعدي بكرة الساعة عشر: of what a told day belongs to is its hour
  const spans = slots.flatMap((definition): Span[] => {
    if (!CHANGED.has(definition.type)) return [];
    const context = { today, definition, asked: false };
    const told: Span[] = [];
    for (let i = 0; i < MAX_TOLD; i += 1) {
      const found = SLOT_PARSERS[definition.type](rest, context);
      if (!found || !(isMovedOn(rest, found, context) || isStanding(rest, found, wishes))) break;
      told.push(found);
      rest = rest.map((word, at) => (at >= found.start && at < found.end ? NOTHING : word));
    }
    return told;
  });
  return spans.length > 0 ? without(words, spans) : words;
}

/** Takes the place of what was read: no word of anybody's. */
const NOTHING: Word = { text: '\u0000', raw: '' };

/** Where a sentence wishes, in its order. */
function wishesIn(words: readonly Word[]): readonly Span[] {
  return words.flatMap((_, at): Span[] => {
    const span = firstPhraseJoined(words.slice(0, at + MAX_WISH_WORDS), WISHES, at);
    if (span?.start === at) return [span];
    if (ASKED_TO.test(textOf(words.slice(at, at + 2)))) return [{ start: at, end: at + 2 }];
    const verb = [1, 2].find((count) =>
      CHANGES_IT.test(textOf(words.slice(at, at + count)).replace(/^[وف](?=..)/, '')),
    );
    return verb ? [{ start: at, end: at + verb }] : [];
  });
}
const MAX_WISH_WORDS = 5;
const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');

/** Between an account and the wish: `tomorrow can you come` wishes for tomorrow. */
const MAX_TOPIC_WORDS = 1;

function isStanding(words: readonly Word[], found: Span, wishes: readonly Span[]): boolean {
  if (leadsTo(words, found)) return false;
  const wished = wishes.findLast(({ end }) => end <= found.start);
  const before = words.slice(wished?.end ?? 0, found.start).filter((word) => word !== NOTHING);
  const isNext = wished?.end === found.start;
  if (!isNext && OWNED_NOUN.test(before.at(-1)?.text ?? '')) return true; // موعدي السبت; ابي السبت is a wish
  const verbs = textOf(words[found.start]!.text === 'coming' ? [...before, words[found.start]!] : before); // it leads a day in, too
  if (ARRANGED.test(verbs)) return true;
  const next = wishes.find(({ start }) => start >= found.end);
  if (EXPECTED.test(verbs)) return wished === undefined || next !== undefined;
  const standing = phrasesIn(before, STANDING).at(-1);
  if (standing && (next || before.length - standing.end <= MAX_NOUN_WORDS)) return true;
  if (wished || !next || next.start - found.end <= MAX_TOPIC_WORDS) return false;
  return !isToldFromAnother(words.slice(found.end).map(({ text }) => text)); // الأربعاء ما يناسبني، ابي الأحد اللي بعده
}

/** `Sunday I have a deadline, move it to Monday`: where it shall be is said behind it. */
function isMovedOn(words: readonly Word[], found: Span, context: SlotContext): boolean {
  const later = SLOT_PARSERS[context.definition.type](words.slice(found.end), context);
  if (!later || leadsTo(words, found)) return false;
  return leadsTo(words, { start: later.start + found.end, end: later.end + found.end });
}

const REASON = phraseTable(REASONS);
const GOES_ON = phraseTable(`${WISH_OPENERS}|so|but|then|بس|لكن|خلاص|طيب|اجل`);
/** `وابغاه`: wished for with what it is of. */
const WANTS_IT = /^[وف]?(?:ابي|ابغا|ابغي|نبي|نبغا|ودي)(?:ه|ها)?$/;
const SUITS = phraseTable(AVAILABILITIES);

/**
 * `a cleaning, because we have a wedding on Friday`, `لأن حفلي يوم اثنين ديسمبر`: the words without the day and hour of what is only
 * told as a reason. A reason why a day suits, or that wishes, names the day that is meant.
 */
export function withoutReason(
  words: readonly Word[],
  slots: readonly SlotDefinition[],
  today: CalendarDay,
): readonly Word[] {
  const reason = firstPhrase(words, REASON);
  if (!reason) return words;
  const goesOn = firstPhraseJoined(words, GOES_ON, reason.end)?.start ?? words.length;
  const wants = words.findIndex(({ text }, at) => at >= reason.end && WANTS_IT.test(text));
  const told = words.slice(reason.end, wants < 0 ? goesOn : Math.min(goesOn, wants));
  if (firstPhrase(told, SUITS)) return words;
  const spans = slots.flatMap((definition): Span[] => {
    if (definition.type !== 'date' && definition.type !== 'time') return [];
    const found = SLOT_PARSERS[definition.type](told, { today, definition, asked: false });
    return found ? [{ start: found.start + reason.end, end: found.end + reason.end }] : [];
  });
  return without(words, spans);
}

function leadsTo(words: readonly Word[], { start }: Span): boolean {
  return LEADS_TO.has(words[start - 1]?.text ?? '') || /^(?:لل|ل(?=يوم))/.test(words[start]?.text ?? '');
}
