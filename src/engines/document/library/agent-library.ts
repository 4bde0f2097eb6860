import type { Agent } from '../../../core/agent.ts';
import { type Clock, delay } from '../../../core/clock.ts';
import { errorText } from '../../../core/errors.ts';
import type { Logger } from '../../../core/logger.ts';
import { workerUrl } from '../../../core/worker-url.ts';
import type { AgentDocuments, Passage, PassageWish } from '../contract.ts';
import { DocumentThread, type ThreadLimits, type ThreadOutcome } from '../document-thread.ts';
import type { FromLibraryWorker, PackedDocument, ToLibraryWorker } from './library-protocol.ts';

/** Where documents come from. What an id stands for never changes. */
export interface LibrarySource {
  /** Those of an agent that can be asked. */
  ready(accountId: string, agentId: string): Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** The text of one, packed; empty where it is gone. */
  lines(id: string): Promise<Uint8Array>;
}

export interface AgentLibraryDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Resolves when there is one. */
  readonly source: () => Promise<LibrarySource>;
  readonly limits?: Partial<LibraryLimits>;
}
export interface LibraryLimits extends ThreadLimits {
  readonly queue: number; // questions that may wait; the next one finds nothing
  /** Documents with which the thread was lost are left alone for so long. */
  readonly restMs: number;
}

/** A shelf full of indexes takes 250 MB; a million characters are indexed in 1.5 s of a core and searched in some hundredths. */
export const LIBRARY_LIMITS: LibraryLimits = {
  queue: 32,
  restMs: 600_000,
  timeLimitMs: 20_000,
  heapMb: 448,
  growthMb: 512,
  idleMs: 600_000,
  jobsMax: Number.MAX_SAFE_INTEGER,
};
const PROGRAM = { name: 'agent-documents', url: workerUrl(import.meta.url, './library-worker') };
const RESTING_MAX = 100;
const NOTHING: readonly Passage[] = [];

interface Asked {
  readonly key: string;
  readonly ids: readonly { readonly id: string; readonly name: string }[];
  readonly question: string;
  readonly limit: number;
  readonly isWanted: () => boolean;
  readonly answer: (found: readonly Passage[]) => void;
}

type Outcome = ThreadOutcome<FromLibraryWorker>;

/**
 * Documents of agents, asked while callers wait: in one thread, one question after another, with indexes that are made when an
 * agent is asked first or its call rings. Nothing here fails a reply: what is late, lost or too much finds nothing.
 */
export class AgentLibrary implements AgentDocuments {
  readonly counters = { late: 0, refused: 0, lost: 0 };
  readonly #limits: LibraryLimits;
  readonly #thread: DocumentThread<ToLibraryWorker, FromLibraryWorker>;
  readonly #waiting: Asked[] = [];
  /** When the documents of a key may be asked again. */
  readonly #resting = new Map<string, number>();
  #isWorking = false;
  #nextId = 1;
  #closed = false;

  constructor(private readonly deps: AgentLibraryDeps) {
    this.#limits = { ...LIBRARY_LIMITS, ...deps.limits };
    this.#thread = new DocumentThread(deps.clock, this.#limits, {}, PROGRAM);
  }

  async find(agent: Agent, question: string, wish: PassageWish, signal: AbortSignal): Promise<readonly Passage[]> {
    if (signal.aborted) return NOTHING;
    const late = new AbortController();
    const either = AbortSignal.any([signal, late.signal]);
    const limit = delay(this.deps.clock, wish.withinMs, either).then(() => {
      if (!either.aborted) this.counters.late += 1;
      return NOTHING;
    });
    let isWanted = true;
    const found = await Promise.race([this.#find(agent, question, wish.limit, () => isWanted), limit]);
    isWanted = false;
    late.abort();
    return found;
  }

  prepare(agent: Agent): void {
    void this.#find(agent, '', 1, () => true);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { answer } of this.#waiting.splice(0)) answer(NOTHING);
    this.#thread.stop('closed');
  }

  /** Never rejects. */
  async #find(
    { id: agentId, accountId }: Agent,
    question: string,
    limit: number,
    isWanted: () => boolean,
  ): Promise<readonly Passage[]> {
    try {
      const source = await this.deps.source();
      const ids = await source.ready(accountId, agentId);
      if (ids.length === 0 || !isWanted() || this.#closed) return NOTHING;
      const key = `${agentId} ${ids.map(({ id }) => id).join(' ')}`;
      if ((this.#resting.get(key) ?? 0) > this.deps.clock.nowMs()) return NOTHING;
      if (this.#waiting.length >= this.#limits.queue) {
        this.counters.refused += 1;
        return NOTHING;
      }
      return await new Promise((answer) => {
        this.#waiting.push({ key, ids, question, limit, isWanted, answer });
        void this.#work();
      });
    } catch (error) {
      this.deps.logger.warn({ error: errorText(error) }, 'documents of an agent could not be asked');
      return NOTHING;
    }
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (next.isWanted()) next.answer(await this.#answer(next));
      else next.answer(NOTHING);
    }
    this.#isWorking = false;
  }

  /** Never rejects. */
  async #answer(asked: Asked): Promise<readonly Passage[]> {
    const { key, question, limit } = asked;
    try {
      let outcome = await this.#run({ id: this.#nextId++, key, type: 'ask', question, limit });
      if (outcome.type === 'unknown') {
        const documents = await this.#packed(asked);
        const loaded = await this.#run({ id: this.#nextId++, key, type: 'load', documents });
        outcome =
          loaded.type === 'loaded' && asked.isWanted()
            ? await this.#run({ id: this.#nextId++, key, type: 'ask', question, limit })
            : loaded;
      }
      if (outcome.type === 'found') return outcome.passages;
      if (outcome.type !== 'loaded') this.#lost(key, outcome);
    } catch (error) {
      this.deps.logger.warn({ error: errorText(error) }, 'documents of an agent could not be loaded');
    }
    return NOTHING;
  }

  #run(job: ToLibraryWorker): Promise<Outcome> {
    if (this.#closed) return Promise.resolve({ type: 'lost', why: 'closed' });
    const handed = job.type === 'load' ? job.documents.map(({ lines }) => lines.buffer as ArrayBuffer) : [];
    return this.#thread.run(job, handed);
  }

  async #packed({ ids }: Asked): Promise<PackedDocument[]> {
    const source = await this.deps.source();
    const documents: PackedDocument[] = [];
    // A copy of its own: small buffers share theirs, which is not to be handed over.
    for (const { id, name } of ids) documents.push({ id, name, lines: new Uint8Array(await source.lines(id)) });
    return documents;
  }

  #lost(key: string, outcome: Exclude<Outcome, { readonly type: 'found' | 'loaded' }>): void {
    if (this.#closed) return;
    this.counters.lost += 1;
    this.#resting.set(key, this.deps.clock.nowMs() + this.#limits.restMs);
    if (this.#resting.size > RESTING_MAX) this.#resting.delete(this.#resting.keys().next().value!);
    const [agentId = ''] = key.split(' ', 1);
    const why = 'why' in outcome ? outcome.why : undefined;
    this.deps.logger.warn({ agentId, outcome: outcome.type, why }, 'documents of an agent are left alone for a while');
  }
}
