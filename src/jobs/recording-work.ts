import type { Clock } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { SealKey } from '../core/sealed-pieces.ts';
import {
  type FinalizeRecordingData,
  finalizeRecording,
  type RecordingReject,
} from '../recordings/finalize-recording.ts';
import { peaksPath, type RecordingFiles } from '../recordings/recording-files.ts';
import type { RecordingHome } from '../recordings/recording-home.ts';
import type { RecordingLibrary } from '../recordings/recording-library.ts';
import type { RetentionDays } from '../store/retention-rows.ts';
import type { Store } from '../store/store.ts';
import { forgetOld, type PassedOver } from './retention.ts';
import { type SweepDeps, sweepDisk, sweepHome } from './sweep-recordings.ts';

export interface RecordingWorkDeps {
  readonly store: Pick<Store, 'calls' | 'recordings' | 'retention' | 'erasures'>;
  readonly files: RecordingFiles;
  readonly library: Pick<RecordingLibrary, 'removeUnwanted'>;
  readonly archive: 'wav' | 'g711';
  /** What recordings may be sealed with; the first one seals. */
  readonly keys: readonly SealKey[];
  readonly home?: { readonly of: RecordingHome; readonly isFilled: boolean };
  readonly orphanDays: number;
  /** How long what is personal is kept where accounts say nothing. */
  readonly retention: RetentionDays;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'recordingsOdd' | 'retentionOverdue' | 'retentionFailed'>;
}

const REMOVED_MAX = 500; // of one round; the rest next time
const STORED_MAX = 500;
const TOLD_MAX = 1_000; // of what could not be forgotten; more is counted only
/** Sending a file may take long; then it is given up and tried again. */
const STORE_MS_MAX = 600_000;

/** What is done with recordings behind the calls, job by job. All of it is safe to run twice, and to be killed. */
export class RecordingWork {
  #homeAfter: string | undefined;
  readonly #passedOver = new Set<string>(); // told once, each
  constructor(private readonly deps: RecordingWorkDeps) {}

  /** Makes the recording of a call that is over ready, as it is to be kept. @throws file errors that may pass. */
  async finalize({ callId, recording }: FinalizeRecordingData): Promise<'ready' | RecordingReject> {
    const { store, files, archive, keys } = this.deps;
    if (await store.calls.isErased(callId)) {
      await files.remove(recording); // before its end was known
      return 'ready';
    }
    await store.recordings.ensure(callId, recording);
    const result = await finalizeRecording(files, recording, { archive, keys, law: () => this.#lawOf(callId) });
    await store.calls.setRecordingState(callId, result === 'ready' ? 'ready' : 'failed');
    return result;
  }

  /** Whether finished recordings go to a home. */
  get stores(): boolean {
    return this.deps.home?.isFilled ?? false;
  }

  /** Recordings of this node that wait to go to the home. */
  toStore(): Promise<readonly string[]> {
    return this.stores ? this.deps.store.recordings.toStore(STORED_MAX) : Promise.resolve([]);
  }

  /**
   * Puts a recording and its peaks into the home. The copy on this disk goes when both are there as they are here.
   *
   * @throws what disk, home and database fail with: it is tried again.
   */
  async storeAway(callId: string): Promise<void> {
    const { home, store, files, logger, clock } = this.deps;
    const row = await store.recordings.get(callId);
    if (!home?.isFilled || !row?.wanted || row.place === 'home' || row.node !== store.recordings.node) return;
    const [recording, peaks] = await Promise.all([files.find(row.name), files.find(peaksPath(row.name))]);
    if (!recording) {
      logger.warn({ call_id: callId }, 'a recording that should go to its home is not on the disk');
      return store.calls.setRecordingState(callId, 'failed');
    }
    const limit = new AbortController();
    const timer = clock.setTimer(STORE_MS_MAX, () => limit.abort());
    try {
      if (peaks) await home.of.put(peaksPath(row.name), peaks, limit.signal);
      const { bytes, sha256 } = await home.of.put(row.name, recording, limit.signal);
      if (!(await store.recordings.stored(callId, bytes, sha256))) return await this.#takeBack(callId, row.name);
      await files.remove(row.name);
    } finally {
      clock.clearTimer(timer);
    }
  }

  /** What accounts do not want to keep goes, whichever node it is of. */
  async forgetOld(isClosing: () => boolean): Promise<void> {
    const { retention, logger } = this.deps;
    const passedOver = (what: PassedOver, error: unknown): void => this.#passOver(what, error);
    const forgotten = await forgetOld({ ...this.deps, isClosing, passedOver }, retention);
    if (Object.values(forgotten).some((count) => count > 0))
      logger.info(forgotten, 'what was beyond the retention of its accounts was forgotten');
  }

  #passOver({ kind, id }: PassedOver, error: unknown): void {
    this.deps.metrics.retentionFailed.inc({ kind });
    if (this.#passedOver.has(id) || this.#passedOver.size >= TOLD_MAX) return;
    this.#passedOver.add(id);
    this.deps.logger.warn(
      { kind, id, error: errorText(error) },
      'not forgotten, and tried again each round: others go on',
    );
  }

  /** On every node, whichever had the last round: a number of one that has no more rounds would stay. */
  async measureOverdue(): Promise<void> {
    const { store, retention, metrics } = this.deps;
    metrics.retentionOverdue.set(await store.retention.overdueSeconds(retention));
  }

  /** Recordings that are not wanted any more are removed where this node can do it; what fails is tried again next time. */
  async removeUnwanted(): Promise<void> {
    const { library, logger } = this.deps;
    try {
      const recordings = await library.removeUnwanted(REMOVED_MAX);
      if (recordings > 0) logger.info({ recordings }, 'recordings that nobody wants any more were removed');
    } catch (error) {
      logger.warn({ error: errorText(error) }, 'a recording could not be removed');
    }
  }

  /** Looks for files of this node that no record knows. */
  async sweepDisk(): Promise<void> {
    const { files, logger, metrics } = this.deps;
    const { unknown, removed } = await sweepDisk(this.#sweep, files);
    metrics.recordingsOdd.set({ place: 'disk', what: 'unknown' }, unknown - removed);
    if (unknown > 0) logger.warn({ unknown, removed }, 'there are recordings on the disk that no call knows');
  }

  /** Looks for files in the home that no record knows, and for records whose file is not there. */
  async sweepHome(): Promise<void> {
    const { home, logger, metrics } = this.deps;
    if (!home) return;
    const { unknown, removed, missing, next } = await sweepHome(this.#sweep, home.of, this.#homeAfter);
    this.#homeAfter = next;
    metrics.recordingsOdd.set({ place: 'home', what: 'unknown' }, unknown - removed);
    metrics.recordingsOdd.set({ place: 'home', what: 'missing' }, missing);
    if (unknown > 0) logger.warn({ unknown, removed }, 'there are recordings in the home that no call knows');
    if (missing > 0) logger.error({ missing }, 'recordings are not in the home any more');
  }

  get #sweep(): SweepDeps {
    const { store, clock, orphanDays } = this.deps;
    return { rows: store.recordings, clock, orphanDays };
  }

  async #lawOf(callId: string): Promise<'mulaw' | 'alaw'> {
    const found = await this.deps.store.calls.get(callId);
    return found?.call.quality?.['codec'] === 'PCMA' ? 'alaw' : 'mulaw';
  }

  /** It was erased while it was on its way, unless this job was run twice. */
  async #takeBack(callId: string, name: string): Promise<void> {
    const { home, store, files } = this.deps;
    const row = await store.recordings.get(callId);
    if (row?.wanted && row.place === 'home') return files.remove(name);
    for (const one of [peaksPath(name), name]) await home!.of.remove(one);
  }
}
