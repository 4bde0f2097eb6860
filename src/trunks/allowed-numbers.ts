import { sentence } from '../core/notice.ts';
import { premiumRangeOf } from './premium-ranges.ts';

/**
 * Why `number` may not be called: nothing may that no prefix allows, and a premium or satellite number needs a prefix that is
 * at least as long as its range, so that `+966` does not open what `+966925` costs.
 *
 * @param number - as `canonicalNumber` has it.
 * @returns undefined where it may.
 */
export function numberProblem(number: string, allowedPrefixes: readonly string[]): string | undefined {
  if (number.startsWith('+0')) return sentence('route.no-country');
  const open = allowedPrefixes.filter((prefix) => number.startsWith(prefix));
  const range = premiumRangeOf(number);
  if (range) {
    if (open.some((prefix) => prefix.length >= range.prefix.length)) return undefined;
    return sentence(`route.costly-${range.kind}`, { prefix: range.prefix, where: range.where });
  }
  if (open.length > 0) return undefined;
  return sentence(allowedPrefixes.length === 0 ? 'route.nothing-allowed' : 'route.prefix-not-allowed');
}
