import { and, asc, eq, getTableColumns, inArray, lt, ne, sql } from 'drizzle-orm';
import {
  AGENT_CHARACTERS_MAX,
  DOCUMENT_TRIES_MAX,
  DOCUMENTS_MAX,
  type DocumentFault,
} from '../core/agent-documents.ts';
import type { Clock } from '../core/clock.ts';
import { newId } from '../core/ids.ts';
import { agentDocuments } from './agent-document-schema.ts';
import type { Database } from './database.ts';
import { agents } from './schema.ts';
import { TtlCache } from './ttl-cache.ts';

const { bytes: _bytes, lines: _lines, ...SHAPE } = getTableColumns(agentDocuments);
/** Without the file and what was read of it. */
export type AgentDocument = Omit<typeof agentDocuments.$inferSelect, 'bytes' | 'lines'>;
export type NewDocument = Pick<typeof agentDocuments.$inferSelect, 'name' | 'type' | 'bytes'>;
/** What the reader made of a document. */
export type ReadDocument = Pick<AgentDocument, 'excerpt'> & {
  readonly lines: Buffer;
  readonly characters: number;
  readonly words: number;
  readonly pages: number;
};
/** A document that can be asked. */
export type ReadyDocument = Pick<AgentDocument, 'id' | 'name'>;

/** The driver writes bytes as hexadecimal digits: at one go a file of 8 MB would hold the process for some milliseconds. */
const PIECE_BYTES = 256 * 1024;
/** Other gateways on the same database see a change that much later; this one at once. */
const READY_TTL_MS = 5_000;
const READY_AGENTS_MAX = 1_000;
const LEFT_OVER_MAX = 100; // of one round
/** Of a document that is being read or waits for it: its job is lost. */
const LEFT_OVER_MS = 120_000;

/** Documents of agents. Another account's are as unknown as none. */
export class AgentDocumentRows {
  readonly #ready: TtlCache<readonly ReadyDocument[]>;

  constructor(
    private readonly db: Database,
    clock: Clock,
  ) {
    this.#ready = new TtlCache(clock, READY_TTL_MS, READY_AGENTS_MAX);
  }

  /** The oldest first. */
  list(accountId: string, agentId: string): Promise<readonly AgentDocument[]> {
    return this.db
      .select(SHAPE)
      .from(agentDocuments)
      .where(and(eq(agentDocuments.accountId, accountId), eq(agentDocuments.agentId, agentId)))
      .orderBy(asc(agentDocuments.createdAt), asc(agentDocuments.id));
  }

  async get(accountId: string, agentId: string, id: string): Promise<AgentDocument | undefined> {
    const [row] = await this.db
      .select(SHAPE)
      .from(agentDocuments)
      .where(this.#is(accountId, agentId, id));
    return row;
  }

  /** Bytes of all files of an account. */
  async bytesOf(accountId: string): Promise<number> {
    const [row] = await this.db
      .select({ bytes: sql<number>`coalesce(sum(${agentDocuments.size}), 0)::int8`.mapWith(Number) })
      .from(agentDocuments)
      .where(eq(agentDocuments.accountId, accountId));
    return row?.bytes ?? 0;
  }

  /**
   * Keeps a file, to be read by a job.
   *
   * @returns `documents` or `bytes`: as much as the agent or the account may have; undefined: no such agent.
   * @throws when the agent has a document of that name.
   */
  async add(
    accountId: string,
    agentId: string,
    { name, type, bytes }: NewDocument,
    { bytesMax }: { readonly bytesMax: number },
  ): Promise<AgentDocument | 'documents' | 'bytes' | undefined> {
    const added = await this.db.transaction(async (tx) => {
      // Two that are added at once must not both be the last that fits.
      await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('agent_documents'), hashtext(${accountId}))`);
      const alive = sql`EXISTS (SELECT 1 FROM ${agents} WHERE ${agents.id} = ${agentId}
        AND ${agents.accountId} = ${accountId} AND ${agents.deletedAt} IS NULL)`;
      const [held] = await tx
        .select({
          agent: sql<boolean>`${alive}`,
          count: sql<number>`count(*) FILTER (WHERE ${agentDocuments.agentId} = ${agentId})`.mapWith(Number),
          bytes: sql<number>`coalesce(sum(${agentDocuments.size}), 0)`.mapWith(Number),
        })
        .from(agentDocuments)
        .where(eq(agentDocuments.accountId, accountId));
      if (!held!.agent) return undefined;
      if (held!.count >= DOCUMENTS_MAX) return 'documents' as const;
      if (held!.bytes + bytes.length > bytesMax) return 'bytes' as const;
      const values = { id: newId('doc'), accountId, agentId, name, type, size: bytes.length, bytes };
      const [row] = await tx.insert(agentDocuments).values(values).returning(SHAPE);
      return row!;
    });
    this.#ready.delete(agentId);
    return added;
  }

  /** @returns whether there was one. */
  async remove(accountId: string, agentId: string, id: string): Promise<AgentDocument | undefined> {
    const [row] = await this.db
      .delete(agentDocuments)
      .where(this.#is(accountId, agentId, id))
      .returning(SHAPE);
    this.#ready.delete(agentId);
    return row;
  }

  /** A document's file, piece by piece; ends early where it is deleted meanwhile. */
  file(id: string): AsyncGenerator<Buffer> {
    return this.#pieces(id, agentDocuments.bytes);
  }

  /** What the reader made of it, packed; empty where it is gone. */
  async lines(id: string): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.#pieces(id, agentDocuments.lines)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** Documents of an agent that can be asked, remembered for a few seconds. */
  ready(accountId: string, agentId: string): Promise<readonly ReadyDocument[]> {
    const { id, name, createdAt, state } = agentDocuments;
    return this.#ready.get(agentId, () =>
      this.db
        .select({ id, name })
        .from(agentDocuments)
        .where(
          and(...[eq(agentDocuments.accountId, accountId), eq(agentDocuments.agentId, agentId)], eq(state, 'ready')),
        )
        .orderBy(asc(createdAt), asc(id)),
    );
  }

  /**
   * A job begins to read it.
   *
   * @returns undefined where there is nothing to read any more; `worn` where it was begun too often.
   */
  async begin(id: string): Promise<AgentDocument | 'worn' | undefined> {
    const [row] = await this.db
      .update(agentDocuments)
      .set({ state: 'indexing', tries: sql`${agentDocuments.tries} + 1`, touchedAt: sql`now()` })
      .where(and(eq(agentDocuments.id, id), inArray(agentDocuments.state, ['queued', 'indexing'])))
      .returning(SHAPE);
    return row && row.tries > DOCUMENT_TRIES_MAX ? 'worn' : row;
  }

  /**
   * It could not be read now, and is read again.
   *
   * @param counts - whether this reading counts: where it was nothing else's fault.
   */
  async putBack(id: string, counts: boolean): Promise<void> {
    const { tries } = agentDocuments;
    await this.db
      .update(agentDocuments)
      .set({ state: 'queued', tries: counts ? tries : sql`greatest(${tries} - 1, 0)`, touchedAt: sql`now()` })
      .where(and(eq(agentDocuments.id, id), eq(agentDocuments.state, 'indexing')));
  }

  /** @returns `full` where all documents of the agent together would be too much to search. */
  async finish(id: string, agentId: string, read: ReadDocument): Promise<'ready' | 'full'> {
    const outcome = await this.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('agent_documents'), hashtext(${agentId}))`);
      const [others] = await tx
        .select({ characters: sql<number>`coalesce(sum(${agentDocuments.characters}), 0)`.mapWith(Number) })
        .from(agentDocuments)
        .where(and(eq(agentDocuments.agentId, agentId), eq(agentDocuments.state, 'ready'), ne(agentDocuments.id, id)));
      if (others!.characters + read.characters > AGENT_CHARACTERS_MAX) return 'full' as const;
      await tx
        .update(agentDocuments)
        .set({ ...read, state: 'ready', reason: null, detail: null, touchedAt: sql`now()` })
        .where(eq(agentDocuments.id, id));
      return 'ready' as const;
    });
    this.#ready.delete(agentId);
    return outcome;
  }

  async fail(id: string, reason: DocumentFault, detail?: string): Promise<void> {
    await this.db
      .update(agentDocuments)
      .set({ state: 'failed', reason, detail: detail ?? null, lines: null, touchedAt: sql`now()` })
      .where(eq(agentDocuments.id, id));
  }

  /** Documents whose job is lost: the oldest first. */
  async leftOver(): Promise<readonly string[]> {
    const rows = await this.db
      .select({ id: agentDocuments.id })
      .from(agentDocuments)
      .where(
        and(
          inArray(agentDocuments.state, ['queued', 'indexing']),
          lt(agentDocuments.touchedAt, sql`now() - make_interval(secs => ${LEFT_OVER_MS / 1000})`),
        ),
      )
      .orderBy(asc(agentDocuments.touchedAt))
      .limit(LEFT_OVER_MAX);
    return rows.map(({ id }) => id);
  }

  async *#pieces(
    id: string,
    column: typeof agentDocuments.bytes | typeof agentDocuments.lines,
  ): AsyncGenerator<Buffer> {
    for (let from = 1; ; from += PIECE_BYTES) {
      const [row] = await this.db
        .select({ piece: sql<Buffer | null>`substring(${column} FROM ${from} FOR ${PIECE_BYTES})` })
        .from(agentDocuments)
        .where(eq(agentDocuments.id, id));
      if (!row?.piece || row.piece.length === 0) return;
      yield row.piece;
      if (row.piece.length < PIECE_BYTES) return;
    }
  }

  #is(accountId: string, agentId: string, id: string) {
    return and(
      ...[eq(agentDocuments.id, id), eq(agentDocuments.accountId, accountId)],
      eq(agentDocuments.agentId, agentId),
    );
  }
}
