import type { PartState } from '../api/routes/health.ts';
import type { Billing } from '../billing/billing.ts';
import type { CallEndReason } from '../call/call-end.ts';
import type { CallRegistry } from '../call/call-registry.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { watchProcess } from '../core/metrics/process-metrics.ts';
import { CountFollower, type Metrics } from '../core/metrics.ts';
import type { EngineSet } from '../engines/engine-set.ts';
import type { MediaPlane } from '../media/media-port.ts';
import type { Store } from '../store/store.ts';

export interface GaugeParts {
  readonly metrics: Metrics;
  readonly registry: Pick<CallRegistry, 'capacity' | 'draining'>;
  readonly media: Pick<MediaPlane, 'load'>;
  readonly engines: Pick<EngineSet, 'speechLoad'>;
  readonly billing: Pick<Billing, 'health' | 'oldestPendingMs'>;
  readonly store: { readonly pool: Pick<Store['pool'], 'totalCount' | 'idleCount' | 'waitingCount' | 'options'> };
  readonly phones: { measure(): void };
  readonly readiness: () => Promise<Readonly<Record<string, PartState>>>;
  readonly build: { readonly version: string; readonly node: string };
  readonly logger: Logger;
}

/** Ends that somebody is woken for: the first one has to be seen as a rise. */
const TOLD_FROM_ZERO: readonly CallEndReason[] = [
  ...(['busy', 'no-engine', 'store-unavailable', 'internal', 'media-failed', 'engine-failed'] as const),
];
const PART_STATES: readonly PartState['state'][] = ['ok', 'degraded', 'down'];

/** What nobody tells by itself, read when somebody asks for the metrics. */
export class Gauges {
  readonly #counts = new CountFollower();
  readonly #process: ReturnType<typeof watchProcess>;

  constructor(private readonly parts: GaugeParts) {
    const { metrics, build } = parts;
    this.#process = watchProcess(metrics);
    for (const reason of TOLD_FROM_ZERO) metrics.callsEnded.inc({ party: 'gateway', reason }, 0);
    metrics.buildInfo.set({ ...build, nodejs: process.version }, 1);
  }

  /** Never rejects: what can be read is better than nothing. */
  async read(): Promise<void> {
    try {
      this.#process.read();
      this.#readMedia();
      this.#readMoney();
      this.parts.phones.measure();
      await this.#readParts();
    } catch (error) {
      this.parts.logger.error({ error: errorText(error) }, 'metrics could not be read');
    }
  }

  close(): void {
    this.#process.close();
  }

  #readMedia(): void {
    const { metrics, media, registry, engines } = this.parts;
    const load = media.load();
    metrics.mediaCalls.set(load.calls);
    metrics.mediaCapacity.set(load.capacity);
    metrics.callsCapacity.set(Math.min(registry.capacity, load.capacity));
    metrics.draining.set(registry.draining ? 1 : 0);
    metrics.mediaThreads.set({ state: 'up' }, load.threads - load.threadsDown);
    metrics.mediaThreads.set({ state: 'down' }, load.threadsDown);
    metrics.mediaCpuRatio.set(load.cpuPercent / 100);
    metrics.rtpPortsFree.set(load.portsFree);
    metrics.tickLatenessSeconds.set(load.tickLatenessP99Ms / 1000);
    this.#counts.follow(metrics.lateTicks, {}, load.lateTicks);
    const speech = engines.speechLoad();
    if (!speech) return;
    metrics.speechStretches.set(speech.stretches);
    metrics.speechFinalSeconds.set(speech.finalMs / 1000);
  }

  #readMoney(): void {
    const { metrics, billing, store } = this.parts;
    const { unwritten, rejected, torn } = billing.health;
    for (const [fault, count] of Object.entries({ unwritten, rejected, torn })) {
      this.#counts.follow(metrics.journalFaults, { fault }, count);
    }
    metrics.journalAge.set(billing.oldestPendingMs / 1000);
    const { totalCount, idleCount, waitingCount, options } = store.pool;
    metrics.databaseConnections.set({ state: 'busy' }, totalCount - idleCount);
    metrics.databaseConnections.set({ state: 'idle' }, idleCount);
    metrics.databaseConnectionsMax.set(options.max);
    metrics.databaseWaiting.set(waitingCount);
  }

  async #readParts(): Promise<void> {
    const { metrics, readiness } = this.parts;
    for (const [part, { state }] of Object.entries(await readiness())) {
      for (const one of PART_STATES) metrics.partState.set({ part, state: one }, one === state ? 1 : 0);
    }
  }
}

/** For whoever counts calls: how many there are, and how many there ever were at once. */
export function callGauges({
  callsActive,
  callsPeak,
}: Pick<Metrics, 'callsActive' | 'callsPeak'>): (count: number) => void {
  let peak = 0;
  return (count) => {
    callsActive.set(count);
    peak = Math.max(peak, count);
    callsPeak.set(peak);
  };
}
