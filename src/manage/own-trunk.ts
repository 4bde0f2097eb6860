import { isIP } from 'node:net';
import { addressFilter } from '../core/address-filter.ts';
import { isInside, isPublicAddress } from '../core/guarded-request.ts';
import { sentence } from '../core/notice.ts';
import { hostOf, type Trunk, type TrunkDefinition } from '../core/trunk.ts';

/** A network as wide as one exchange or carrier has; a wider one would take calls of others. */
const PREFIX_MIN = { 4: 28, 6: 64 } as const;
export const OWN_TRUNKS_MAX = 20;
/** What a trunk has that says nothing of it: more is a matter of the machine, which is the operator's. */
const LIMITS_MAX = { callsIn: 100, callsOut: 10, callsPerSecondIn: 10, callsPerSecondOut: 1 } as const;

/**
 * Why an account may not make such a trunk by itself; undefined where it may. It reaches public addresses alone, takes the
 * calls of nobody else, and has no more lines than a trunk has by default. Other accounts are not named.
 *
 * @param others - every other trunk of the gateway.
 */
export function ownTrunkProblem(definition: TrunkDefinition, others: readonly Trunk[]): string | undefined {
  const { inbound, hosts, limits } = definition;
  for (const source of inbound.sources) {
    const [address = '', prefix] = source.split('/');
    const family = isIP(address) === 6 ? 6 : 4;
    if (!isPublicAddress({ address, family })) return sentence('refused.not-public', { address: source });
    if (prefix !== undefined && Number(prefix) < PREFIX_MIN[family]) {
      return sentence('refused.too-wide', { source, bits: PREFIX_MIN[family] });
    }
    if (others.some((other) => other.definition.inbound.sources.some((theirs) => overlap(source, theirs)))) {
      return sentence('refused.source-taken', { source });
    }
  }
  if (inbound.certificateName !== undefined) return sentence('refused.certificate');
  const inside = hosts.find(({ uri }) => isInside(hostOf(uri)));
  if (inside) return sentence('refused.not-public', { address: inside.uri });
  const over = (Object.keys(LIMITS_MAX) as (keyof typeof LIMITS_MAX)[]).find((name) => limits[name] > LIMITS_MAX[name]);
  return over && sentence('refused.over-limit', { limit: over, most: LIMITS_MAX[over] });
}

/** Two networks have an address in common where one has the first of the other. */
function overlap(one: string, other: string): boolean {
  const first = (entry: string): string => entry.split('/')[0] ?? '';
  return addressFilter([one])(first(other)) || addressFilter([other])(first(one));
}
