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
}

/** The one line of the log that tells of a whole call. */
export function tellEnd({ agent, parties, logger, used }: EndedCall, summary: CallSummary): void {
  const { direction, from, to } = parties;
  const { answered, talkMs, dtmf, quality, end, transfers, answeredBy } = summary;
  const { party, reason, detail } = end;
  logger.info(
    {
      ...{ agent: agent.id, direction, party, reason, detail, answered, talkMs, answeredBy },
      ...{ dtmfCount: dtmf.length, quality, transfers: transfers?.map(({ outcome }) => outcome) },
      services: used.totals,
      pii: { from, to },
    },
    'call ended',
  );
}
