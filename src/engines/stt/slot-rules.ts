import { WEEKDAYS_EN } from '../../language/calendar/calendar.ts';
import { MONTHS_EN } from '../../language/calendar/calendar-names.ts';
import { GIVEN_NAMES } from '../../language/names/spoken-names.ts';
import type { SttExpectation } from './contract.ts';
import { numberWord, TEEN_VALUES, TENS_VALUES, UNIT_VALUES } from './spoken-tokens.ts';

/**
 * What callers answer to each kind of question, as JSGF. Rules refer to each other by name; `rule` is the one that holds
 * the answer, `lead` what people say before it.
 */
export interface SlotRules {
  readonly rule: string;
  readonly lead: string;
  readonly definitions: Readonly<Record<string, string>>;
}

const any = (tokens: readonly (string | number)[], prefix = ''): string =>
  `(${tokens.map((token) => `${prefix}${token}`).join(' | ')})`;

/** Each of `tokens` at the cost of `weight`. */
const each = (weight: number, tokens: readonly (string | number)[], prefix = ''): string =>
  `(${tokens.map((token) => `/${weight}/ ${prefix}${token}`).join(' | ')})`;

/** Weights below are costs that keep short words from filling every sound; found by measurement, see the bench. */
const DIGIT = 0.1;
/** `oh` for zero is in every vowel that one looks for it in. */
const OH = 0.001;
/**
 * Where the length of the number is known, fewer places are there for it: of 96 numbers by four voices, a third of their digits zeros and
 * most of those said so, 82 were heard right instead of 74 and 10 instead of 12 wrong; of 120 without a zero as many as before.
 */
const OH_OF_KNOWN = 0.01;
const GROUP = 0.0005;
const units = (oh: number): string => `(${each(DIGIT, [0, ...UNIT_VALUES], '~d')} | /${oh}/ ~do)`;
const UNITS = units(OH);
/** `four two`, `double five`, `forty two`, `twelve`, `nine hundred`. Two-digit groups are rarer than single digits. */
const DIGITS: SlotRules = {
  rule: '<digits>',
  lead:
    "(it's | it is | that's | that is | this is | my number is | the number is | number | order number | " +
    'the order number is | my order number is | order | it would be)',
  definitions: {
    digit: any([
      UNITS,
      `/0.1/ (~dd | ~dt) ${UNITS}`,
      `${each(GROUP, TENS_VALUES, '~d')} [${each(DIGIT, UNIT_VALUES, '~d')}]`,
      each(GROUP, TEEN_VALUES, '~d'),
      `/${GROUP}/ ${each(DIGIT, UNIT_VALUES, '~d')} ~dh`,
    ]),
    digits: '<digit>+',
  },
};

/** Of as many digits as asked for each is said by itself, mostly; a sound before or after them is no further digit. */
const OTHER_LENGTH = 0.02;
const DIGITS_MAX = 12;

const digitsOf = (count: number): SlotRules => ({
  ...DIGITS,
  definitions: {
    ...DIGITS.definitions,
    digits: `(${Array(count).fill(units(OH_OF_KNOWN)).join(' ')} | /${OTHER_LENGTH}/ <digit>+)`,
  },
});

const PHONE: SlotRules = {
  rule: '<phone>',
  lead: `(my phone number is | my mobile number is | phone number | ${DIGITS.lead.slice(1, -1)})`,
  definitions: { ...DIGITS.definitions, phone: '[~dp] <digit>+' },
};

const NUMBER: SlotRules = {
  rule: '<number>',
  lead: "(it's | it is | i want | i need | i have | there are | there will be | we are | we're | for | about | around | just | only | a table for)",
  definitions: {
    n9: any(UNIT_VALUES, '~n'),
    n99: `(<n9> | ${any(TEEN_VALUES, '~n')} | ${any(TENS_VALUES, '~n')} [<n9>])`,
    n999: '((<n9> | a) ~nh [[and] <n99>] | <n99>)',
    number:
      '(~n0 | <n999> [~nk [[and] <n999>]] | a ~nk) [people | persons | person | pieces | items | nights | days | of them]',
  },
};

const HOURS = any([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(numberWord));
const UNIT = any(UNIT_VALUES.map(numberWord));
const TEEN = any(TEEN_VALUES.map(numberWord));
const MINUTES = any([`oh ${UNIT}`, TEEN, `${any([20, 30, 40, 50].map(numberWord))} [${UNIT}]`]);
const TIME: SlotRules = {
  rule: '<time>',
  lead: "(at | around | about | let's say | it's | it is | make it | i'd like | i would like | for | after | before)",
  definitions: {
    dayPart: '(~w.am | ~w.pm | in the morning | in the afternoon | in the evening | at night | tonight)',
    time: any([
      `${HOURS} [o'clock | ${MINUTES}] [<dayPart>]`,
      `half past ${HOURS} [<dayPart>]`,
      `(quarter | five | ten | twenty) (past | to) ${HOURS} [<dayPart>]`,
      ...['noon', 'midday', 'midnight', 'in the morning', 'in the afternoon', 'in the evening'],
    ]),
  },
};

const inLowerCase = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());
const WEEKDAYS = any(inLowerCase(WEEKDAYS_EN));
const MONTHS = any(inLowerCase(MONTHS_EN.gregorian));
const BELOW_TENTH = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];
const ORDINALS = any([
  ...BELOW_TENTH,
  ...[
    'tenth',
    'eleventh',
    'twelfth',
    'thirteenth',
    'fourteenth',
    'fifteenth',
    'sixteenth',
    'seventeenth',
    'eighteenth',
  ],
  ...['nineteenth', 'twentieth', 'thirtieth', '(twenty | thirty) first', `twenty ${any(BELOW_TENTH.slice(1))}`],
]);
const DAYS = any([UNIT, TEEN, `twenty [${UNIT}]`, 'thirty [one]']);
const DATE: SlotRules = {
  rule: '<date>',
  lead: "(on | for | it's | it is | let's say | make it | i'd like | i would like | how about | maybe)",
  definitions: {
    date: any([
      ...['today', 'tomorrow', '[the] day after tomorrow', 'yesterday', 'tonight'],
      `[this | next | on] ${WEEKDAYS} [morning | afternoon | evening]`,
      'next (week | month)',
      `in ${any([2, 3, 4, 5, 6, 7, 10].map(numberWord))} days`,
      'in (a | one | two | three) (week | weeks)',
      `${MONTHS} [the] (${ORDINALS} | ${DAYS})`,
      `the ${ORDINALS} [of ${MONTHS}]`,
      `${ORDINALS} [of] ${MONTHS}`,
      `${DAYS} [of] ${MONTHS}`,
      `${WEEKDAYS} [the] ${ORDINALS} [of ${MONTHS}]`,
    ]),
  },
};

/** Letters said one by one fill every sound, too. */
const LETTER = 0.1;
const LETTERS = each(LETTER, [...'abcdefghijklmnopqrstuvwxyz'], '~s.');
/**
 * Who is asked for the name of a record mostly says one that the agent knows: with this cost 65 of 72 owners were heard instead of 62,
 * 4 instead of 8 as somebody else, and of 48 other names none as an owner (see the bench).
 */
const GIVEN_NAME = 0.1;
const NAME: SlotRules = {
  rule: '<name>',
  lead: "(my name is | my full name is | the name is | name is | i am | i'm | this is | it's | it is | call me)",
  definitions: {
    givenName: each(GIVEN_NAME, GIVEN_NAMES),
    // A single letter is nobody's name, and the easiest thing to mishear.
    name: `(<givenName> [<givenName>] | ${LETTERS} ${LETTERS}+)`,
  },
};

const YESNO: SlotRules = {
  rule: '<yesno>',
  lead: '(uh | um | well | oh)',
  definitions: {
    sure:
      "(sure | correct | right | exactly | absolutely | definitely | of course | go ahead | please do | do it | that's right | " +
      "that is right | that's correct | that is correct | sounds good | perfect | great | all right | i do | it is | " +
      'yes it is | yes i do)',
    wrong:
      "(no it's not | no it isn't | no i don't | not really | wrong | incorrect | that's wrong | that is wrong | " +
      "that's not right | that is not right | that's not correct | not correct | i don't think so | never mind)",
    // Said once more in other words: "yes that's right", "no that's wrong".
    yes: '((yes | yeah | /0.1/ (yep | yup) | /0.05/ okay) [/0.05/ <sure>] | /0.1/ <sure> | yes please)',
    no: '((no | /0.1/ nope) [/0.05/ <wrong>] | /0.1/ <wrong> | no thank you | no thanks)',
    yesno: '(<yes> | <no>)',
  },
};

/** Rules per kind of answer; `free` is no grammar at all. */
export const SLOT_RULES: Readonly<Record<Exclude<SttExpectation, 'free'>, SlotRules>> = {
  digits: DIGITS,
  phone: PHONE,
  number: NUMBER,
  time: TIME,
  date: DATE,
  name: NAME,
  yesno: YESNO,
};

/** @param digits - how many the number has that is waited for, where that is known. */
export function slotRulesOf(kind: Exclude<SttExpectation, 'free'>, digits?: number): SlotRules {
  return kind === 'digits' && digits !== undefined && digits <= DIGITS_MAX ? digitsOf(digits) : SLOT_RULES[kind];
}
