import { addressFilter, addressOf } from '../core/address-filter.ts';

/**
 * Which peers may call at all; without entries everybody may.
 *
 * @returns a test of `ip:port` as in `LegInfo.sourceAddress`.
 */
export function sourceFilter(allowed: readonly string[]): (sourceAddress: string) => boolean {
  if (allowed.length === 0) return () => true;
  const isAllowed = addressFilter(allowed);
  return (source) => isAllowed(addressOf(source));
}
