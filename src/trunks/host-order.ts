import type { TrunkHost } from '../core/trunk.ts';

/**
 * Hosts in the order in which they are tried: lower priorities first, and within one by chance, in proportion to their weights
 * (RFC 2782, RFC 3263 §4.2). Those of weight 0 come after the others of their priority.
 *
 * @param random - 0..1, the last excluded.
 */
export function hostOrder(hosts: readonly TrunkHost[], random: () => number): readonly TrunkHost[] {
  const priorities = [...new Set(hosts.map(({ priority }) => priority))].sort((a, b) => a - b);
  return priorities.flatMap((priority) =>
    byWeight(
      hosts.filter((host) => host.priority === priority),
      random,
    ),
  );
}

function byWeight(hosts: readonly TrunkHost[], random: () => number): TrunkHost[] {
  const left = hosts.filter(({ weight }) => weight > 0);
  const ordered: TrunkHost[] = [];
  while (left.length > 0) {
    const total = left.reduce((sum, { weight }) => sum + weight, 0);
    let chance = random() * total;
    const chosen = left.findIndex(({ weight }) => {
      chance -= weight;
      return chance < 0;
    });
    ordered.push(...left.splice(Math.max(0, chosen), 1));
  }
  return [...ordered, ...hosts.filter(({ weight }) => weight <= 0)];
}
