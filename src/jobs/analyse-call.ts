import { type Clock, timeoutSignal } from '../core/clock.ts';
import { errorText, ServiceError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { ServiceUse } from '../core/service-use.ts';
import { analysisOfTurns } from '../engines/after-call/analyse.ts';
import type { CallAnalyst } from '../engines/after-call/call-analyst.ts';
import type { Store } from '../store/store.ts';

export interface AnalyseCallDeps {
  readonly store: Pick<Store, 'calls' | 'callAnalyses'>;
  /** Reads calls of agents that want it; without it they have what the dialogue knows. */
  readonly analyst: Pick<CallAnalyst, 'read' | 'reads'> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A service that does not answer is tried again for so long after the end of a call; then what the dialogue knows stands. */
export const READ_WITHIN_MS = 15 * 60_000;
const READ_MS_MAX = 90_000;

/**
 * Looks at a call that is over, from its record: by what its dialogue did, where nobody has done that, and with the words of it,
 * where its agent has a model read it. Safe to run twice, and to be killed.
 *
 * @throws ServiceError where it is to be tried again.
 */
export async function analyseCall({ store, analyst, clock, logger }: AnalyseCallDeps, callId: string): Promise<void> {
  const call = await store.callAnalyses.unread(callId);
  if (!call) return;
  const { definition, analysis, outcome, endedAt, startedAt } = call;
  const turns = await store.calls.turnsOf(callId);
  const known = analysis && outcome !== null ? { outcome, ...analysis } : undefined;
  const base = known ?? (definition ? analysisOfTurns(definition, turns, call) : undefined);
  if (!base || !definition || !analyst?.reads({ definition })) return store.callAnalyses.write(callId, base);
  const limit = timeoutSignal(clock, READ_MS_MAX);
  const use = new ServiceUse();
  const read = await analyst
    .read({ agent: { definition }, turns, startedAt, base, used: use.tell }, limit.signal)
    .catch((error: unknown) => {
      const isLate = clock.utc().getTime() - endedAt.getTime() > READ_WITHIN_MS;
      if (!isLate && error instanceof ServiceError && error.code === 'unavailable') throw error;
      logger.warn(
        { call_id: callId, error: errorText(error) },
        'a call could not be read, and has what its dialogue knows',
      );
      return base;
    })
    .finally(() => {
      limit.cancel();
      if (use.totals) logger.info({ call_id: callId, services: use.totals }, 'a model was asked what a call came to');
    });
  if (call.services) use.add(call.services);
  await store.callAnalyses.write(callId, read, use.totals);
}
