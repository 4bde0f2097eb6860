import { premiumRangeOf } from './premium-ranges.ts';

/**
 * Why `number` may not be called: nothing may that no prefix allows, and a premium or satellite number needs a prefix that is
 * at least as long as its range, so that `+966` does not open what `+966925` costs.
 *
 * @param number - as `canonicalNumber` has it.
 * @returns undefined where it may.
 */
export function numberProblem(number: string, allowedPrefixes: readonly string[]): string | undefined {
  if (number.startsWith('+0')) return 'no country code begins with 0';
  const open = allowedPrefixes.filter((prefix) => number.startsWith(prefix));
  const range = premiumRangeOf(number);
  if (range) {
    if (open.some((prefix) => prefix.length >= range.prefix.length)) return undefined;
    return `${range.prefix} is a ${range.kind} range (${range.where}): it needs a line of its own in allowedPrefixes`;
  }
  if (open.length > 0) return undefined;
  return allowedPrefixes.length === 0
    ? 'nothing may be called: allowedPrefixes is empty'
    : 'no prefix in allowedPrefixes allows it';
}
