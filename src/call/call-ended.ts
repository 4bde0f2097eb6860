import type { CallSummary } from '../billing/contract.ts';
import type { Agent } from '../core/agent.ts';
import type { Logger } from '../core/logger.ts';

interface EndedCall {
  readonly agent: Agent;
  readonly parties: { readonly direction: string; readonly from: string; readonly to: string };
  readonly logger: Logger;
}

/** The one line of the log that tells of a whole call. */
export function tellEnd({ agent, parties, logger }: EndedCall, summary: CallSummary): void {
  const { direction, from, to } = parties;
  const { answered, talkMs, dtmf, quality, end, transfers } = summary;
  const { party, reason, detail } = end;
  logger.info(
    {
      ...{ agent: agent.id, direction, party, reason, detail, answered, talkMs },
      ...{ dtmfCount: dtmf.length, quality, transfers: transfers?.map(({ outcome }) => outcome) },
      pii: { from, to },
    },
    'call ended',
  );
}
