interface Line {
  readonly kind: string;
  readonly cents: number;
}
export interface CostGroup {
  readonly kind: string;
  readonly count: number;
  readonly cents: number;
}

/** Lines of the same kind together, the dearest first. */
export function costGroups(lines: readonly Line[]): CostGroup[] {
  const groups = new Map<string, CostGroup>();
  for (const { kind, cents } of lines) {
    const before = groups.get(kind) ?? { kind, count: 0, cents: 0 };
    groups.set(kind, { kind, count: before.count + 1, cents: before.cents + cents });
  }
  return [...groups.values()].sort((a, b) => b.cents - a.cents);
}

/** What a call has cost; of one that goes on, so far: its sum is written at its end. */
export const costOf = (call: {
  readonly ended_at: string | null;
  readonly cost_cents: number;
  readonly cost_lines: readonly Line[];
}): number => (call.ended_at ? call.cost_cents : call.cost_lines.reduce((sum, { cents }) => sum + cents, 0));
