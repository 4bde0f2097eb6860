import { type Notice, notice } from './notice.ts';
import type { NumberRule } from './trunk.ts';

/** Arabic-Indic digits (U+0660) and their Persian forms (U+06F0), as keyboards here write them. */
export function foldDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0x0f));
}

const DIALLABLE = /^\+?[0-9*#]{1,40}$/;

/** A number as it is dialled: digits folded, separators gone. @returns undefined for anything that is no number. */
export function dialledNumber(text: string): string | undefined {
  const number = foldDigits(text).replace(/[\s().\-/]/g, '');
  return DIALLABLE.test(number) ? number : undefined;
}

const fits = ({ match, digits }: NumberRule, number: string): boolean =>
  number.startsWith(match) && (digits === undefined || number.length === digits);

/** The number as the first rule that fits makes it; as it is where none does. */
export function rewriteNumber(rules: readonly NumberRule[], number: string): string {
  const rule = rules.find((each) => fits(each, number));
  return rule ? rule.replace + number.slice(rule.match.length) : number;
}

/** What is wrong with the example of a rule; undefined where it says what the rules do. */
export function exampleProblem(rules: readonly NumberRule[], index: number): Notice | undefined {
  const rule = rules[index];
  if (!rule?.example) return undefined;
  const [from, to, ...more] = rule.example.split('->').map((part) => dialledNumber(part));
  if (from === undefined || to === undefined || more.length > 0) return notice('trunk.example-form');
  if (!fits(rule, from)) return notice('trunk.example-unfit', { number: from });
  const first = rules.findIndex((each) => fits(each, from));
  if (first !== index) return notice('trunk.example-taken', { number: from, rule: first + 1 });
  const made = rewriteNumber(rules, from);
  return made === to ? undefined : notice('trunk.example-made', { made, number: from, wanted: to });
}

/**
 * A number that is called, as prefixes are compared with it: `00` is the international prefix (ITU-T E.164 §6), and a
 * national number is what the trunk's rules for calls in make of it. What is left without `+` is a number of the other side
 * alone, an extension.
 */
export function canonicalNumber(number: string, numbersIn: readonly NumberRule[]): string {
  if (/^\+?00/.test(number)) return canonicalNumber(`+${number.replace(/^\+?00/, '')}`, numbersIn);
  return number.startsWith('+') ? number : rewriteNumber(numbersIn, number);
}
