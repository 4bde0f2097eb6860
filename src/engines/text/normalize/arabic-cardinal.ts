import { DIGIT_WORDS } from '../../../language/letters.ts';
import type { Gender } from '../../../language/nouns.ts';
import { NAMED_DIGITS_MAX, NAMED_FRACTION_MAX, type Numeral } from './numeral.ts';

/**
 * How an Arabic number stands in its sentence. `gender` is that of the counted noun (the polarity of 3-10 is applied
 * here). `oblique`: genitive or accusative (عشرين), else nominative (عشرون). `construct`: a noun follows directly, so the
 * dual drops its nun (مئتا ريال) and ثمانٍ is ثماني.
 */
export interface NumberForm {
  readonly gender: Gender;
  readonly oblique: boolean;
  readonly construct: boolean;
}

/** Counting without a noun: masculine, nominative, alone. */
export const COUNTING: NumberForm = { gender: 'm', oblique: false, construct: false };

const UNITS_M = ['', 'واحد', 'اثنان', 'ثلاثة', 'أربعة', 'خمسة', 'ستة', 'سبعة', 'ثمانية', 'تسعة', 'عشرة'];
const UNITS_F = ['', 'واحدة', 'اثنتان', 'ثلاث', 'أربع', 'خمس', 'ست', 'سبع', 'ثمان', 'تسع', 'عشر'];
const TENS = ['', '', 'عشر', 'ثلاث', 'أربع', 'خمس', 'ست', 'سبع', 'ثمان', 'تسع'];
const HUNDREDS = ['', 'مئة', 'مئت', 'ثلاثمئة', 'أربعمئة', 'خمسمئة', 'ستمئة', 'سبعمئة', 'ثمانمئة', 'تسعمئة'];

interface Scale {
  readonly power: number;
  readonly singular: string;
  readonly plural: string;
}
const SCALES: readonly Scale[] = [
  { power: 1e12, singular: 'تريليون', plural: 'تريليونات' },
  { power: 1e9, singular: 'مليار', plural: 'مليارات' },
  { power: 1e6, singular: 'مليون', plural: 'ملايين' },
  { power: 1e3, singular: 'ألف', plural: 'آلاف' },
];

/** A whole number below 10^15 in words. */
export function arabicCardinal(value: number, form: NumberForm = COUNTING): string {
  if (value === 0) return 'صفر';
  const parts: string[] = [];
  let rest = value;
  for (const scale of SCALES) {
    const count = Math.floor(rest / scale.power);
    rest %= scale.power;
    if (count > 0) parts.push(scaled(count, scale, form, rest === 0));
  }
  if (rest > 0) parts.push(belowThousand(rest, form));
  return parts.join(' و');
}

/** `count` thousands, millions...; `last`: nothing smaller follows, so the counted noun may follow directly. */
function scaled(count: number, scale: Scale, form: NumberForm, last: boolean): string {
  const construct = last && form.construct;
  if (count === 1) return scale.singular;
  if (count === 2) return dual(scale.singular, form.oblique, construct);
  const lastTwo = count % 100;
  const words = belowThousand(count, { gender: 'm', oblique: form.oblique, construct: lastTwo === 0 });
  if (lastTwo >= 3 && lastTwo <= 10) return `${words} ${scale.plural}`;
  if (lastTwo > 10 && !construct) return `${words} ${scale.singular}اً`;
  return `${words} ${scale.singular}`;
}

function belowThousand(value: number, form: NumberForm): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  if (hundreds === 0) return belowHundred(rest, form);
  const head =
    hundreds === 2 ? dualEnding(HUNDREDS[2]!, form.oblique, form.construct && rest === 0) : HUNDREDS[hundreds]!;
  return rest === 0 ? head : `${head} و${belowHundred(rest, form)}`;
}

function belowHundred(value: number, form: NumberForm): string {
  const feminine = form.gender === 'f';
  if (value === 2) return two(feminine, form.oblique, false); // before a noun the dual says it
  if (value === 8 && feminine) return form.construct ? 'ثماني' : 'ثمان';
  if (value <= 10) return (feminine ? UNITS_F : UNITS_M)[value]!;
  if (value < 20) return teen(value, feminine, form.oblique);
  const unit = value % 10;
  const tens = `${TENS[Math.floor(value / 10)]!}${form.oblique ? 'ين' : 'ون'}`;
  if (unit === 0) return tens;
  return `${unitBeforeTens(unit, feminine, form.oblique)} و${tens}`;
}

function unitBeforeTens(unit: number, feminine: boolean, oblique: boolean): string {
  if (unit === 1 && feminine) return 'إحدى';
  if (unit === 2) return two(feminine, oblique, false);
  return (feminine ? UNITS_F : UNITS_M)[unit]!;
}

/** 11 and 12 agree with the noun; in 13-19 the unit is opposite and the ten agrees. Only 12 shows its case. */
function teen(value: number, feminine: boolean, oblique: boolean): string {
  const ten = feminine ? 'عشرة' : 'عشر';
  if (value === 11) return `${feminine ? 'إحدى' : 'أحد'} ${ten}`;
  if (value === 12) return `${two(feminine, oblique, true)} ${ten}`;
  if (value === 18 && feminine) return `ثماني ${ten}`;
  return `${(feminine ? UNITS_F : UNITS_M)[value - 10]!} ${ten}`;
}

function two(feminine: boolean, oblique: boolean, construct: boolean): string {
  return dualEnding(feminine ? 'اثنت' : 'اثن', oblique, construct);
}

function dualEnding(stem: string, oblique: boolean, construct: boolean): string {
  if (construct) return `${stem}${oblique ? 'ي' : 'ا'}`;
  return `${stem}${oblique ? 'ين' : 'ان'}`;
}

/** Two letters are left of three: the third comes back. */
const IRREGULAR_DUALS: ReadonlyMap<string, string> = new Map([
  ['أخ', 'أخو'],
  ['أب', 'أبو'],
]);

/** The dual of a singular noun: ريالان, ساعتين, شكويان, in construct ألفا. */
export function dual(singular: string, oblique: boolean, construct = false): string {
  let stem = IRREGULAR_DUALS.get(singular) ?? singular;
  if (singular.endsWith('ة')) stem = `${singular.slice(0, -1)}ت`;
  else if (/^...+ا$/u.test(singular))
    stem = `${singular.slice(0, -1)}ت`; // كاميرا
  else if (singular.endsWith('ى')) stem = `${singular.slice(0, -1)}ي`;
  return dualEnding(stem, oblique, construct);
}

/** Any number in words: minus, whole part, decimals. Beyond the named numbers digit by digit. */
export function arabicNumber(numeral: Numeral, form: NumberForm = COUNTING): string {
  const sign = numeral.negative === true ? 'سالب ' : '';
  if (numeral.digits.replace(/^0+/, '').length > NAMED_DIGITS_MAX) {
    const tail = numeral.fraction === undefined ? '' : ` فاصلة ${arabicDigits(numeral.fraction)}`;
    return `${sign}${arabicDigits(numeral.digits)}${tail}`;
  }
  if (numeral.fraction === undefined || numeral.fraction === '00')
    return `${sign}${arabicCardinal(Number(numeral.digits), form)}`;
  const whole = arabicCardinal(Number(numeral.digits), { ...COUNTING, oblique: form.oblique });
  return `${sign}${whole} فاصلة ${arabicFractionDigits(numeral.fraction, form.oblique)}`;
}

/** Decimals as a number after their leading zeros: `05` is صفر خمسة, `25` خمسة وعشرون. */
function arabicFractionDigits(fraction: string, oblique: boolean): string {
  if (fraction.length > NAMED_FRACTION_MAX) return arabicDigits(fraction);
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  const words = Array<string>(Math.min(zeros, fraction.length)).fill('صفر');
  if (zeros < fraction.length) words.push(arabicCardinal(Number(fraction), { ...COUNTING, oblique }));
  return words.join(' ');
}

/** Digits one by one, as in phone numbers. */
export function arabicDigits(digits: string): string {
  const words: string[] = [];
  for (let at = 0; at < digits.length; at += 1) words.push(DIGIT_WORDS.ar[digits.charCodeAt(at) - 48]!);
  return words.join(' ');
}
