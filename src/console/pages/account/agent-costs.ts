export interface UsageLine {
  readonly agent_id: string | null;
  readonly cents: number;
}

export interface AgentCost {
  readonly key: string; // id of the agent, `api` for the public API, `rest` for those that have no row of their own
  readonly agentId: string | null;
  readonly agents: number;
  readonly cents: number;
  readonly share: number; // 0..1 of all
}

/** What each agent has cost, the dearest first; from `max` rows on the rest is one row. */
export function agentCosts(lines: readonly UsageLine[], max: number): readonly AgentCost[] {
  const sums = new Map<string | null, number>();
  for (const { agent_id, cents } of lines) sums.set(agent_id, (sums.get(agent_id) ?? 0) + cents);
  const sorted = [...sums].filter(([, cents]) => cents > 0).sort(([, a], [, b]) => b - a);
  const all = sorted.reduce((sum, [, cents]) => sum + cents, 0);
  const rows = sorted.map(([agentId, cents]) => ({
    ...{ key: agentId ?? 'api', agentId, agents: agentId === null ? 0 : 1, cents, share: cents / all },
  }));
  if (rows.length <= max) return rows;
  const rest = rows.slice(max - 1);
  const cents = rest.reduce((sum, row) => sum + row.cents, 0);
  return [...rows.slice(0, max - 1), { key: 'rest', agentId: null, agents: rest.length, cents, share: cents / all }];
}
