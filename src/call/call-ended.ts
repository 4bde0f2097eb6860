import type { CallSummary } from '../billing/contract.ts';
import type { Agent } from '../core/agent.ts';
import type { Logger } from '../core/logger.ts';
import type { ServiceUse } from '../core/service-use.ts';
import type { CallSource } from '../core/trunk.ts';

/** Who calls whom. `from` and `to` are personal data: log under `pii` only. */
export interface CallParties {
  readonly direction: 'inbound' | 'outbound';
  readonly sipCallId: string;
  readonly from: string;
  readonly to: string;
  readonly source?: CallSource; // of a call in
}

interface EndedCall {
  readonly agent: Agent;
  readonly parties: CallParties;
  readonly logger: Logger;
  readonly used: ServiceUse;
  readonly startedAt: Date;
}

/** The line of the log that begins a call of an agent. */
export function tellStart({ agent, parties, logger }: Pick<EndedCall, 'agent' | 'parties' | 'logger'>): void {
  const { direction, from, to, source } = parties;
  logger.info(
    { account: agent.accountId, agent: agent.id, direction, ...sourceOf(source), pii: { from, to } },
    'call started',
  );
}

/** Who sent it: a trunk by its id, for names of phones are of people. */
function sourceOf(source: CallSource | undefined): { readonly source?: string; readonly trunk?: string } {
  return { ...(source && { source: source.kind }), ...(source?.kind === 'trunk' && { trunk: source.id }) };
}

/** The one line of the log that tells of a whole call. */
export function tellEnd({ agent, parties, logger, used, startedAt }: EndedCall, summary: CallSummary): void {
  const { direction, from, to } = parties;
  const { answered, talkMs, dtmf, quality, end, transfers, answeredBy } = summary;
  const { party, reason, detail } = end;
  logger.info(
    {
      ...{ agent: agent.id, direction, party, reason, detail, answered, talkMs, answeredBy },
      durationMs: summary.endedAt.getTime() - startedAt.getTime(),
      ...{ dtmfCount: dtmf.length, quality, transfers: transfers?.map(({ outcome }) => outcome) },
      services: used.totals,
      pii: { from, to },
    },
    'call ended',
  );
}
