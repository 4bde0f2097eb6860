import { type Job, UnrecoverableError } from 'bullmq';
import type { Billing, WrittenCall } from '../billing/billing.ts';
import { type Clock, delay, systemClock, type Timer } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { QueueDesk } from '../core/job-queues.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { FinalizeRecordingData } from '../recordings/finalize-recording.ts';
import type { RedisServer } from '../store/redis-server.ts';
import type { Store } from '../store/store.ts';
import { type AnalyseCallDeps, analyseCall } from './analyse-call.ts';
import { type IndexDocumentDeps, indexDocument } from './index-document.ts';
import {
  type JobBackend,
  type JobQueue,
  type JobWorker,
  openPostgresBackend,
  openRedisBackend,
} from './job-backend.ts';
import { type QueueName, queueDesk, queueNames, retry } from './queue-states.ts';
import type { RecordingWork } from './recording-work.ts';
import { settleInterrupted } from './settle-interrupted.ts';

export interface JobsOptions {
  readonly store: Store;
  readonly billing: Pick<Billing, 'recover' | 'forgetApplied' | 'forgetSoFar'>;
  readonly recordings: RecordingWork;
  /** Reads documents of agents. */
  readonly reader: IndexDocumentDeps['reader'];
  /** Reads calls that are over, where agents want that. */
  readonly analyst?: AnalyseCallDeps['analyst'];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Without it jobs live in the store's database. Closed with the jobs. */
  readonly redis?: RedisServer;
  readonly clock?: Clock;
  /** How often the caretaker goes round; default a minute. */
  readonly caretakerMs?: number;
}

const CARETAKER_MS = 60_000;
const OWN_ROUND = 'round';
const SWEEP = 'sweep';
const SWEEP_EVERY_MS = 3_600_000;
const DEPTH_EVERY_MS = 10_000;
const ADD_TRIES_MAX = 3; // the backend waits a second before it fails
/** A database that is away makes every worker complain several times a second. */
const COMPLAINT_EVERY_MS = 5_000;
const ADD_MS_MAX = 3_000;
/** Adding a job is given up when that many wait for the database: the caretaker finds what they were for. */
const ADDING_MAX = 1_000;
const DRAIN_MS_MAX = 5_000;
const CALLS_MAX = 500; // queued again at a time; the rest next time
const RECORDINGS_MAX = 500;
const ERASURE_PIECES_MAX = 200; // a round: 100,000 calls are looked through

/**
 * Background work: never on the way of a call, every job safe to run twice. Recordings lie on one machine, so each
 * installation has a queue of its own for them; the caretaker's round is shared by all gateways on a database.
 */
export class Jobs {
  readonly #recordings: JobQueue;
  readonly #uploads: JobQueue;
  readonly #caretaker: JobQueue;
  readonly #documents: JobQueue;
  readonly #calls: JobQueue;
  readonly #workers: readonly JobWorker[];
  readonly #adding = new Set<Promise<void>>();
  #timers: { depth?: Timer; round?: Timer } = {};
  #complaints = { sinceMs: Number.NEGATIVE_INFINITY, count: 0 };
  #sweptHour: number | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    private readonly options: JobsOptions,
    private readonly backend: JobBackend,
    private readonly clock: Clock,
  ) {
    const names = queueNames(options.store.gateways.node);
    this.#recordings = backend.queue(names.recordings);
    this.#uploads = backend.queue(names.uploads);
    this.#caretaker = backend.queue(names.caretaker);
    this.#documents = backend.queue(names.documents);
    this.#calls = backend.queue(names.calls);
    const worker = (name: QueueName, work: (job: Job) => Promise<void>): JobWorker => {
      const made = backend.worker(names[name], (job) => work(job).catch(withoutPersonal));
      made.on('failed', (job, error) => this.#failed(name, job, error));
      made.on('completed', () => options.metrics.jobsDone.inc({ queue: name, outcome: 'completed' }));
      return made;
    };
    this.#workers = [
      worker('recordings', (job) => this.#ofRecordings(job)),
      worker('uploads', (job) => options.recordings.storeAway((job.data as { callId: string }).callId)),
      worker('caretaker', (job) => (job.name === SWEEP ? options.recordings.sweepHome() : this.#goRound())),
      worker('documents', (job) => this.#index((job.data as { id: string }).id)),
      worker('calls', (job) =>
        analyseCall({ ...options, analyst: options.analyst, clock }, (job.data as { id: string }).id),
      ),
    ];
    for (const queue of Object.values(this.#queues)) queue.on('error', (error) => this.#troubled(error));
    for (const made of this.#workers) made.on('error', (error) => this.#troubled(error));
  }

  static async open(options: JobsOptions): Promise<Jobs> {
    const { redis, store, logger } = options;
    const backend = redis ? openRedisBackend(redis) : await openPostgresBackend(store.connection, logger);
    const jobs = new Jobs(options, backend, options.clock ?? systemClock);
    try {
      await jobs.#begin();
    } catch (error) {
      await jobs.close();
      throw error;
    }
    return jobs;
  }

  /**
   * Queues the work on a finished recording. Never throws, and may be called twice: when the queue is away the caretaker
   * finds the recording in the database later. @param isNew - it was not asked for before.
   */
  finalizeRecording(callId: string, recording: string, isNew = false): void {
    if (this.#adding.size >= ADDING_MAX) return;
    this.#add(
      this.#queueRecording(callId, recording, isNew),
      { call_id: callId },
      'recording was not queued, the caretaker will find it',
    );
  }

  /** Queues the reading of a document that an agent was given; as `finalizeRecording`. */
  indexDocument(id: string): void {
    if (this.#adding.size >= ADDING_MAX) return;
    this.#add(this.#queueDocument(id), { id }, 'document was not queued, the caretaker will find it');
  }

  /** Queues what is to be done with the record of a call that is over. */
  callWritten({ id, recording, isUnread }: WrittenCall): void {
    if (recording !== undefined) this.finalizeRecording(id, recording, true);
    if (isUnread) this.analyseCall(id);
  }

  /** Queues a look at a call that is over; as `finalizeRecording`. */
  analyseCall(callId: string): void {
    if (this.#adding.size >= ADDING_MAX) return;
    this.#add(this.#queueCall(callId), { call_id: callId }, 'call was not queued, the caretaker will find it');
  }

  #add(work: Promise<void>, fields: object, failed: string): void {
    const adding = work.catch((error: unknown) => {
      this.options.logger.warn({ ...fields, error: errorText(error) }, failed);
    });
    this.#adding.add(adding);
    void adding.finally(() => this.#adding.delete(adding));
  }

  /** What keeps jobs from being done; calls go on. */
  get problem(): string | undefined {
    return this.backend.problem;
  }

  /** For whoever looks after the gateway. */
  get desk(): QueueDesk {
    return queueDesk(this.#queues);
  }

  /** Lets jobs under way finish for a few seconds; others stay queued for the next start. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #begin(): Promise<void> {
    const all = [...Object.values(this.#queues), ...this.#workers];
    // A server that is away is found later: calls need no jobs.
    const ready = Promise.all(all.map((one) => one.waitUntilReady()));
    if (this.backend.isUp) await ready;
    else ready.catch((error: unknown) => this.#troubled(error));
    this.#callCaretaker();
    this.#watchDepth();
  }

  /**
   * Every gateway asks for each round under the same name, so that one of them gets it. Not BullMQ's own scheduler: its chain
   * of jobs breaks when the database goes away between two links.
   */
  #callCaretaker(): void {
    const everyMs = this.options.caretakerMs ?? CARETAKER_MS;
    const round = Math.floor(this.clock.utc().getTime() / everyMs);
    this.#caretaker.add('round', {}, { jobId: `round-${round}` }).catch((error: unknown) => this.#troubled(error));
    // Recordings lie on this machine: each installation goes its own round for them.
    this.#recordings
      .add(OWN_ROUND, {}, { jobId: `own-round-${round}` })
      .catch((error: unknown) => this.#troubled(error));
    this.#callSweeps();
    this.#timers.round = this.clock.setTimer(everyMs, () => this.#callCaretaker());
  }

  /** Once an hour each: the disk of this node, and by one of all nodes the home. */
  #callSweeps(): void {
    const hour = Math.floor(this.clock.utc().getTime() / SWEEP_EVERY_MS);
    if (hour === this.#sweptHour) return;
    this.#sweptHour = hour;
    for (const queue of [this.#caretaker, this.#recordings]) {
      queue.add(SWEEP, {}, { jobId: `sweep-${hour}` }).catch((error: unknown) => this.#troubled(error));
    }
  }

  #queueRecording(callId: string, recording: string, isNew = false): Promise<void> {
    const data: FinalizeRecordingData = { callId, recording };
    return this.#queueOnce(this.#recordings, 'finalize', data, `recording-${callId}`, isNew);
  }

  #queueDocument(id: string): Promise<void> {
    return this.#queueOnce(this.#documents, 'index', { id }, `document-${id}`);
  }

  #queueCall(id: string): Promise<void> {
    return this.#queueOnce(this.#calls, 'analyse', { id }, `call-${id}`);
  }

  /** One job of a name at a time: a twin that is queued already is the same job. */
  async #queueOnce(queue: JobQueue, name: string, data: object, jobId: string, isNew = false): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await queue.add(name, data, { jobId });
        if (isNew) return;
        // One that was given up is found again by the caretaker as long as its work waits.
        const known = await queue.getJob(jobId);
        if (known && (await known.isFailed())) await retry(known);
        return;
      } catch (error) {
        if (attempt >= ADD_TRIES_MAX || this.#closing) throw error;
      }
    }
  }

  async #finalize(data: FinalizeRecordingData): Promise<void> {
    const { recordings } = this.options;
    const result = await recordings.finalize(data);
    if (result === 'ready') return recordings.stores ? this.#queueUpload(data.callId) : undefined;
    this.options.logger.warn({ call_id: data.callId, result }, 'recording cannot be used');
    throw new UnrecoverableError(`recording: ${result}`);
  }

  /** What concerns the files of this node: recordings whose job was lost, and those that nobody wants any more. */
  async #goOwnRound(): Promise<void> {
    const { store, recordings, billing } = this.options;
    billing.forgetApplied(); // what was said is in the database, and goes from there when it is to go
    for (const { id, recording } of await store.recordings.pending(RECORDINGS_MAX)) {
      await this.#queueRecording(id, recording);
    }
    for (const id of await recordings.toStore()) await this.#queueUpload(id);
    await recordings.removeUnwanted();
    await store.erasures.forgetOn(store.recordings.node, () => billing.forgetSoFar());
    await recordings.measureOverdue();
  }

  async #ofRecordings({ name, data }: Job): Promise<void> {
    if (name === OWN_ROUND) await this.#goOwnRound();
    else if (name === SWEEP) await this.options.recordings.sweepDisk();
    else await this.#finalize(data as FinalizeRecordingData);
  }

  #queueUpload(callId: string): Promise<void> {
    return this.#queueOnce(this.#uploads, 'upload', { callId }, `upload-${callId}`);
  }

  async #index(id: string): Promise<void> {
    const { store, reader, logger } = this.options;
    const outcome = await indexDocument(id, { store, reader });
    if (outcome !== 'gone') logger.info({ id, outcome }, 'document of an agent was read');
  }

  async #goRound(): Promise<void> {
    const { billing, store, recordings } = this.options;
    await settleInterrupted({ billing, store });
    for (const id of await store.agentDocuments.leftOver()) await this.#queueDocument(id);
    for (const id of await store.callAnalyses.pending(CALLS_MAX)) await this.#queueCall(id);
    const isClosing = (): boolean => this.#closing !== undefined;
    await recordings.forgetOld(isClosing);
    await store.erasures.searchOn(ERASURE_PIECES_MAX, isClosing);
  }

  get #queues(): Readonly<Record<QueueName, JobQueue>> {
    return {
      recordings: this.#recordings,
      uploads: this.#uploads,
      caretaker: this.#caretaker,
      documents: this.#documents,
      calls: this.#calls,
    };
  }

  #watchDepth(): void {
    this.#timers.depth = this.clock.setTimer(DEPTH_EVERY_MS, () => {
      this.#measure()
        .catch((error: unknown) => this.#troubled(error))
        .finally(() => {
          if (!this.#closing) this.#watchDepth();
        });
    });
  }

  async #measure(): Promise<void> {
    const { jobsWaiting, jobsFailed } = this.options.metrics;
    await this.backend.look();
    for (const [name, queue] of Object.entries(this.#queues)) {
      const counts = await queue.getJobCounts('waiting', 'delayed', 'active', 'failed');
      jobsFailed.set({ queue: name }, counts['failed'] ?? 0);
      jobsWaiting.set({ queue: name }, (counts['waiting'] ?? 0) + (counts['delayed'] ?? 0) + (counts['active'] ?? 0));
    }
  }

  #troubled(error: unknown): void {
    if (this.#closing) return;
    this.#complaints.count += 1;
    if (this.clock.nowMs() - this.#complaints.sinceMs < COMPLAINT_EVERY_MS) return;
    this.options.logger.warn({ error: errorText(error), count: this.#complaints.count }, 'job queue is in trouble');
    this.#complaints = { sinceMs: this.clock.nowMs(), count: 0 };
  }

  #failed(queue: QueueName, job: Job | undefined, error: Error): void {
    const isGivenUp = job?.finishedOn !== undefined;
    this.options.metrics.jobsDone.inc({ queue, outcome: isGivenUp ? 'given_up' : 'failed' });
    const fields = { queue, jobId: job?.id, attempt: job?.attemptsMade, error: error.message };
    if (isGivenUp) this.options.logger.error(fields, 'job was given up, `nidaa jobs` has it tried again');
    else this.options.logger.warn(fields, 'job failed');
  }

  async #close(): Promise<void> {
    this.clock.clearTimer(this.#timers.depth);
    this.clock.clearTimer(this.#timers.round);
    await this.#within(Promise.allSettled([...this.#adding]), ADD_MS_MAX);
    if (this.backend.isUp) {
      await this.#within(Promise.allSettled(this.#workers.map((worker) => worker.close())), DRAIN_MS_MAX);
    }
    const rest = [
      ...Object.values(this.#queues).map((queue) => queue.close()),
      ...this.#workers.map((worker) => worker.close(true)),
    ];
    await this.#within(Promise.allSettled(rest), DRAIN_MS_MAX);
    await this.#within(this.backend.close(), DRAIN_MS_MAX);
  }

  /** Waits for `work`, but not longer than `msMax`: a database that is away must not keep the process. */
  async #within(work: Promise<unknown>, msMax: number): Promise<void> {
    const stop = new AbortController();
    await Promise.race([work.catch(() => undefined), delay(this.clock, msMax, stop.signal)]);
    stop.abort();
  }
}

/** What is kept of a failure is shown to whoever looks after the gateway: the parameters of a query are not. */
function withoutPersonal(error: unknown): never {
  if (error instanceof UnrecoverableError) throw error;
  throw new Error(errorText(error), { cause: error });
}
