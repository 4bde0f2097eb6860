import type { NodeRow } from './gateways.ts';

/** A gateway as it is shown. Times are RFC 3339 in UTC. @param own - id of the one that shows it. */
export function presentNode(
  { id, node, host, startedAt, seenAt, lost, ended, recordings, drainAsked, says }: NodeRow,
  own: string,
) {
  return {
    ...{ id, node, this: id === own, host },
    state: lost ? (ended ? ('ended' as const) : ('lost' as const)) : (says?.phase ?? ('starting' as const)),
    drain_asked: drainAsked,
    ...{ version: says?.version ?? null, sip: says?.sip ?? null, api: says?.api ?? null },
    ...{ calls: says?.calls ?? null, capacity: says?.capacity ?? null, recordings },
    ...{ started_at: startedAt.toISOString(), seen_at: seenAt.toISOString() },
  };
}
