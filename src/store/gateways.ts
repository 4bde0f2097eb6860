import { hostname } from 'node:os';
import type pg from 'pg';
import { inTransaction } from './database.ts';
import type { GatewayIdentity } from './gateway-identity.ts';
import type { LeaseConnection } from './lease-connection.ts';
import { requireMayRun, tablesVersion } from './migrator.ts';
import { nodeOf } from './recordings.ts';

/** A call that its gateway left open, with what recovery needs to close it. */
export interface OpenCall {
  readonly id: string;
  readonly answeredAt: Date | null;
  readonly lastSeenAt: Date; // of the gateway that held it
  readonly recording: string | null; // where it was to be recorded, below the data folder of its node
}
export interface OpenSession {
  readonly id: string;
  readonly checkpointMs: number;
}

/** What becomes of a wish to be this installation. `taken`: by a process that lives, for `leftMs` at least. */
export type Claim =
  | { readonly outcome: 'held' }
  | { readonly outcome: 'taken'; readonly host: string; readonly beat: string; readonly leftMs: number };

/** The process that says a `beat` wants the lease. `formerId`: it had it, and was taken for dead. */
export interface Claimant {
  readonly id: string;
  readonly beat: string;
  readonly leaseSeconds: number;
  readonly formerId?: string;
}

export interface SilentGateway {
  readonly id: string;
  readonly host: string | null;
  readonly seenAt: Date;
  readonly hasEnded: boolean; // by itself, with everything in the database
}

/** What a gateway says of itself now and then. */
export interface NodeFacts {
  readonly version: string;
  readonly sip: string; // host:port callers dial
  readonly api: string; // http://host:port
  readonly phase: 'starting' | 'serving' | 'draining';
  readonly calls: number;
  readonly capacity: number; // calls at once
}

/** A gateway process: one that lives, one that was lost of late, or the last one of a node that something on its disk is waited for. */
export interface NodeRow {
  readonly id: string;
  readonly node: string; // of its data folder, for good
  readonly host: string | null;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly lost: boolean;
  readonly ended: boolean; // by itself
  readonly recordings: number | null; // on its disk alone, of one that is not there; null of one that lives
  readonly drainAsked: boolean;
  readonly says: NodeFacts | null; // null of one that has only just begun
}

/** Another gateway that was silent for that long is dead: recordings on its disk are nobody's any more. */
export const GATEWAY_SILENT_SECONDS = 300;
const RENEW_MS_MAX = 6_000;
const FORGET_SECONDS = 3_600;
const FORGET_OTHERS_SECONDS = 30 * 86_400;
/** Of a gateway `g`. */
const IS_LAST = 'NOT EXISTS (SELECT 1 FROM gateways o WHERE o.node = g.node AND o.started_at > g.started_at)';
const RECORDINGS = `FROM recordings r WHERE r.place = 'node' AND r.node = split_part(g.id, '_', 2)`;
/** An erasure is not done before its disk has forgotten, too. */
const IS_AWAITED = `EXISTS (SELECT 1 ${RECORDINGS}) OR EXISTS (SELECT 1 FROM erasures WHERE done_at IS NULL AND waits -> 'nodes' ? split_part(g.id, '_', 2))`;
/** Of a call `c`, by one look into the month of its charges: the planner knows too little of all months together for a join. */
const COST = `(SELECT coalesce(sum(settled_cents), 0) FROM charges h WHERE h.owner = c.id AND h.id BETWEEN c.id AND c.id || '/z')`;
const HAS_OPEN = `EXISTS (SELECT 1 FROM calls WHERE gateway = g.id AND ended_at IS NULL)
  OR EXISTS (SELECT 1 FROM sessions WHERE gateway = g.id AND ended_at IS NULL)
  OR EXISTS (SELECT 1 FROM charges WHERE gateway = g.id AND state = 'reserved')`;

/** Which gateway processes live, and what dead ones left behind. */
export class GatewayRows {
  constructor(
    private readonly queryable: pg.Pool,
    readonly identity: GatewayIdentity,
    private readonly lease: Pick<LeaseConnection, 'on'>,
  ) {}

  get id(): string {
    return this.identity.id;
  }
  get node(): string {
    return this.identity.node;
  }

  /** Takes the lease of this installation, unless another process has it that lives. */
  claim(claimant: Claimant): Promise<Claim> {
    return this.lease.on((pool) => this.#claim(pool, claimant));
  }

  async #claim(pool: pg.Pool, { id, beat, leaseSeconds, formerId }: Claimant): Promise<Claim> {
    const { node, place } = this.identity;
    const claimed = (client: pg.PoolClient) =>
      client.query<{ outcome: string; host: string; beat: string; left: number }>(
        `SELECT outcome, coalesce(holder_host, '') AS host, coalesce(holder_beat, '') AS beat, left_ms AS left
       FROM gateway_claim($1, $2, $3, $4, $5, make_interval(secs => $6), $7)`,
        [id, node, place, hostname(), beat, leaseSeconds, formerId ?? null],
      );
    const { rows } = await inTransaction(pool, async (client) => {
      await requireMayRun(client); // also of one that was silent while the tables went on
      return claimed(client);
    });
    const { outcome, host, beat: said, left } = rows[0]!;
    if (outcome === 'held' && formerId !== undefined) {
      // Who was to be empty still is, under the new id.
      await pool.query(
        'UPDATE gateways g SET drain_asked_at = f.drain_asked_at FROM gateways f WHERE g.id = $1 AND f.id = $2',
        [id, formerId],
      );
    }
    return outcome === 'held' ? { outcome } : { outcome: 'taken', host, beat: said, leftMs: left };
  }

  /**
   * Says that we live, and so how far the calls of a gateway that dies later had surely got.
   *
   * @param known - what the row may have: what was said last, and since then by attempts whose end nobody knows.
   * @returns false where the lease is lost: it ran out and another gateway noticed, or a copy of this process renews it.
   */
  async renew(known: readonly string[], beat: string, leaseSeconds: number): Promise<boolean> {
    const statement = {
      name: 'gateway-renew',
      text: `UPDATE gateways SET seen_at = now(), expires_at = now() + make_interval(secs => $4), beat = $3
        WHERE id = $1 AND fenced_at IS NULL AND beat = ANY ($2)`,
      values: [this.id, known, beat, leaseSeconds],
      query_timeout: Math.min(RENEW_MS_MAX, (leaseSeconds * 1_000) / 3), // time for another try is left
    };
    const { rowCount } = await this.lease.on((pool) => pool.query(statement));
    return rowCount === 1;
  }

  /** We end, and have nothing open that somebody has to wait for. */
  async release(): Promise<void> {
    const statement = `UPDATE gateways SET seen_at = now(), expires_at = '-infinity' WHERE id = $1 AND fenced_at IS NULL`;
    await this.lease.on((pool) => pool.query(statement, [this.id]));
  }

  /** Those that live. */
  async living(): Promise<readonly { readonly id: string; readonly startedAt: Date; readonly seenAt: Date }[]> {
    const { rows } = await this.queryable.query<{ id: string; startedAt: Date; seenAt: Date }>(
      `SELECT id, started_at AS "startedAt", seen_at AS "seenAt" FROM gateways g
       WHERE gateway_lives(g) ORDER BY started_at, id LIMIT 1000`,
    );
    return rows;
  }

  /** Says how we are. @returns whether we are to take nothing new. */
  async tell(facts: NodeFacts): Promise<boolean> {
    const { rows } = await this.queryable.query<{ asked: boolean }>({
      name: 'gateway-tell',
      text: `UPDATE gateways SET says = $2::jsonb WHERE id = $1 AND fenced_at IS NULL RETURNING drain_asked_at IS NOT NULL AS asked`,
      values: [this.id, JSON.stringify({ ...facts, tables: tablesVersion() })], // which steps may be taken while it lives
    });
    return rows[0]?.asked ?? false;
  }

  /** Those that live, those that were lost within the hour, and those that are gone while something on their disk is waited for. */
  async nodes(): Promise<readonly NodeRow[]> {
    const { rows } = await this.queryable.query<NodeRow>(
      `SELECT id, node, host, started_at AS "startedAt", seen_at AS "seenAt", NOT gateway_lives(g) AS lost,
         coalesce(expires_at = '-infinity', false) AS ended, drain_asked_at IS NOT NULL AS "drainAsked", says,
         CASE WHEN NOT gateway_lives(g) THEN (SELECT count(*)::int ${RECORDINGS}) END AS recordings
       FROM gateways g WHERE gateway_lives(g) OR (${IS_LAST}
         AND (coalesce(expires_at <> '-infinity', true) AND seen_at > now() - interval '1 hour' OR ${IS_AWAITED}))
       ORDER BY started_at, id LIMIT 1000`,
    );
    return rows;
  }

  /** Has a gateway that lives take nothing new, or take calls again; it hears of it within seconds. @returns whether there is such a one. */
  async askDrain(id: string, drains: boolean): Promise<boolean> {
    const { rowCount } = await this.queryable.query(
      `UPDATE gateways g SET drain_asked_at = CASE WHEN $2 THEN coalesce(drain_asked_at, now()) END WHERE id = $1 AND gateway_lives(g)`,
      [id, drains],
    );
    return rowCount === 1;
  }

  /**
   * A node that never comes back has ended: nothing is waited for that its disk may have. `id` is that of its last gateway.
   *
   * @returns the node as recordings name it; `lives` where it does.
   */
  async retire(id: string): Promise<{ readonly name: string } | 'lives' | undefined> {
    const { rows } = await this.queryable.query<{ node: string; lives: boolean }>(
      `SELECT node, EXISTS (SELECT 1 FROM gateways o WHERE o.node = g.node AND gateway_lives(o)) AS lives FROM gateways g WHERE id = $1`,
      [id],
    );
    if (!rows[0] || rows[0].lives) return rows[0] && 'lives';
    await this.queryable.query(
      `UPDATE gateways g SET fenced_at = coalesce(fenced_at, now()), expires_at = '-infinity' WHERE node = $1 AND NOT gateway_lives(g)`,
      [rows[0].node],
    );
    return { name: nodeOf(id) };
  }

  /** Others whose lease has run out own nothing from now on. @returns those of which that is new. */
  async fenceSilent(): Promise<readonly SilentGateway[]> {
    const { rows } = await this.queryable.query<SilentGateway>(
      `UPDATE gateways g SET fenced_at = now() WHERE id <> $1 AND fenced_at IS NULL AND NOT gateway_lives(g)
       RETURNING id, host, seen_at AS "seenAt", coalesce(expires_at = '-infinity', false) AS "hasEnded"`,
      [this.id],
    );
    return rows;
  }

  /** Gateways that own nothing any more: lately, or with something open yet. @param ours - earlier starts of this node as well. */
  async fenced(ours: boolean): Promise<readonly string[]> {
    const { rows } = await this.queryable.query<{ id: string }>(
      `SELECT id FROM gateways g WHERE id <> $1 AND fenced_at IS NOT NULL AND CASE WHEN node = $3 THEN $2
        ELSE fenced_at > now() - make_interval(secs => $4) OR ${HAS_OPEN} END`,
      [this.id, ours, this.node, FORGET_SECONDS],
    );
    return rows.map((row) => row.id);
  }

  async openCalls(gateway: string): Promise<readonly OpenCall[]> {
    const { rows } = await this.queryable.query<OpenCall>(
      `SELECT c.id, c.answered_at AS "answeredAt", greatest(g.seen_at, c.answered_at, c.started_at) AS "lastSeenAt",
         r.name AS recording
       FROM calls c JOIN gateways g ON g.id = c.gateway LEFT JOIN recordings r ON r.call_id = c.id WHERE c.gateway = $1 AND c.ended_at IS NULL`,
      [gateway],
    );
    return rows;
  }

  async openSessions(gateway: string): Promise<readonly OpenSession[]> {
    const { rows } = await this.queryable.query<OpenSession>(
      `SELECT id, checkpoint_ms AS "checkpointMs" FROM sessions WHERE gateway = $1 AND ended_at IS NULL`,
      [gateway],
    );
    return rows;
  }

  /** Charges of a dead gateway that nothing will settle any more. */
  async openCharges(gateway: string): Promise<readonly string[]> {
    const { rows } = await this.queryable.query<{ id: string }>(
      `SELECT id FROM charges WHERE gateway = $1 AND state = 'reserved'`,
      [gateway],
    );
    return rows.map((row) => row.id);
  }

  /** What it ran under an Idempotency-Key will not be answered any more: the next request of the key may run. */
  async freeKeys(gateway: string): Promise<void> {
    await this.queryable.query(
      `UPDATE idempotency_keys SET locked_until = '-infinity' WHERE gateway = $1 AND state = 'running'`,
      [gateway],
    );
  }

  /** What calls cost that were closed for `gateway` before everything was booked. */
  async recount(gateway: string): Promise<void> {
    await this.queryable.query(
      `UPDATE calls c SET cost_cents = ${COST} WHERE gateway = $1 AND end_reason = 'interrupted' AND cost_cents <> ${COST}`,
      [gateway],
    );
  }

  /**
   * Drops `gateway` once nothing of it is open, but not soon: a transaction it had sent when it died may still come through
   * on a database that was standing still, and the next recovery must find it; who starts there again has to find its own; and a
   * disk with recordings that are nowhere else has to have a name.
   */
  async forget(gateway: string): Promise<void> {
    await this.queryable.query(
      `DELETE FROM gateways g WHERE id = $1 AND greatest(seen_at, fenced_at) <
        now() - make_interval(secs => CASE WHEN node = $4 THEN $2 ELSE $3 END::integer) AND NOT (${HAS_OPEN})
        AND NOT (${IS_LAST} AND EXISTS (SELECT 1 ${RECORDINGS}))`,
      [gateway, FORGET_SECONDS, FORGET_OTHERS_SECONDS, this.node],
    );
  }
}
