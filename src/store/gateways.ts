import type { Queryable } from './database.ts';

/** A call that its gateway left open, with what recovery needs to close it. */
export interface OpenCall {
  readonly id: string;
  readonly answeredAt: Date | null;
  readonly lastSeenAt: Date; // of the gateway that held it
}
export interface OpenSession {
  readonly id: string;
  readonly checkpointMs: number;
}

/** Another gateway that was silent for that long is dead; one of our own node is dead as soon as we start. */
export const GATEWAY_SILENT_SECONDS = 300;
const FORGET_SECONDS = 3_600;

/** Which gateway processes live, and what dead ones left behind. */
export class GatewayRows {
  constructor(
    private readonly queryable: Queryable,
    readonly id: string,
    readonly node: string,
  ) {}

  async register(): Promise<void> {
    await this.queryable.query('INSERT INTO gateways (id, node) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING', [
      this.id,
      this.node,
    ]);
  }

  /** Says that we live, and so how far the calls of a gateway that dies later had surely got. */
  async heartbeat(): Promise<void> {
    await this.queryable.query({
      name: 'gateway-heartbeat',
      text: 'UPDATE gateways SET seen_at = now() WHERE id = $1',
      values: [this.id],
    });
  }

  /** Those that have said lately that they live. */
  async living(): Promise<readonly { readonly id: string; readonly startedAt: Date; readonly seenAt: Date }[]> {
    const { rows } = await this.queryable.query<{ id: string; startedAt: Date; seenAt: Date }>(
      `SELECT id, started_at AS "startedAt", seen_at AS "seenAt" FROM gateways
       WHERE seen_at > now() - make_interval(secs => $1) ORDER BY started_at, id LIMIT 1000`,
      [GATEWAY_SILENT_SECONDS],
    );
    return rows;
  }

  /** Gateways that are gone: earlier starts of this node, and others that fell silent. */
  async dead(): Promise<readonly string[]> {
    const { rows } = await this.queryable.query<{ id: string }>(
      `SELECT id FROM gateways WHERE id <> $1 AND (node = $2 OR seen_at < now() - make_interval(secs => $3))`,
      [this.id, this.node, GATEWAY_SILENT_SECONDS],
    );
    return rows.map((row) => row.id);
  }

  async openCalls(gateway: string): Promise<readonly OpenCall[]> {
    const { rows } = await this.queryable.query<OpenCall>(
      `SELECT c.id, c.answered_at AS "answeredAt", greatest(g.seen_at, c.answered_at, c.started_at) AS "lastSeenAt"
       FROM calls c JOIN gateways g ON g.id = c.gateway WHERE c.gateway = $1 AND c.ended_at IS NULL`,
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

  /**
   * Drops `gateway` once nothing of it is open, but not soon: a transaction it had sent when it died may still come through
   * on a database that was standing still, and the next recovery must find it.
   */
  async forget(gateway: string): Promise<void> {
    await this.queryable.query(
      `DELETE FROM gateways WHERE id = $1 AND seen_at < now() - make_interval(secs => $2)
        AND NOT EXISTS (SELECT 1 FROM calls WHERE gateway = $1 AND ended_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM sessions WHERE gateway = $1 AND ended_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM charges WHERE gateway = $1 AND state = 'reserved')`,
      [gateway, FORGET_SECONDS],
    );
  }
}
