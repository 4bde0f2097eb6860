import { type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Database } from './database.ts';
import type { Owner } from './gateway-identity.ts';

/** Where a recording is: on the disk of its node, or in the home that all nodes share. */
export interface RecordingRow {
  readonly callId: string;
  readonly node: string;
  readonly name: string; // path below the data folder of its node, and key in the home
  readonly place: 'node' | 'home';
  readonly wanted: boolean;
  readonly bytes: number | null; // of the file in the home
  readonly sha256: string | null;
}

export interface KnownName extends Pick<RecordingRow, 'place' | 'node'> {
  readonly unlistedId: string | null;
}

/** What all gateways that ever ran on one installation have in common in their ids. */
export const nodeOf = (gateway: string): string => gateway.split('_')[1] ?? gateway;

const COLUMNS = 'call_id AS "callId", node, name, place, wanted, bytes::float8 AS bytes, sha256';

/**
 * Marks what there is of a recording as not wanted, also where only the record of its call knows of it: within a transaction
 * that changes its call after it.
 */
export const unwanting = (callId: string): SQL => sql`INSERT INTO recordings (call_id, node, name, wanted)
  SELECT c.id, split_part(c.gateway, '_', 2), coalesce(r.name, c.recording), false
  FROM calls c LEFT JOIN recordings r ON r.call_id = c.id WHERE c.id = ${callId} AND coalesce(r.name, c.recording) IS NOT NULL
  ON CONFLICT (call_id) DO UPDATE SET wanted = false`;

/** Where recordings are. */
export class RecordingRows {
  constructor(
    private readonly db: Database,
    private readonly pool: pg.Pool,
    private readonly owner: Owner,
  ) {}

  /** Ours. It is another one once this was found to be a copy of an installation that runs. */
  get node(): string {
    return nodeOf(this.owner.id);
  }

  async get(callId: string): Promise<RecordingRow | undefined> {
    const { rows } = await this.pool.query<RecordingRow>(`SELECT ${COLUMNS} FROM recordings WHERE call_id = $1`, [
      callId,
    ]);
    return rows[0];
  }

  /** Knows of a recording on this node from now on, where nobody did. */
  async ensure(callId: string, name: string): Promise<void> {
    await this.pool.query('INSERT INTO recordings (call_id, node, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
      callId,
      this.node,
      name,
    ]);
  }

  /** Ended calls with a recording on this node that was not worked on yet: what a lost job queue is filled again from. */
  async pending(limit: number): Promise<readonly { readonly id: string; readonly recording: string }[]> {
    const { rows } = await this.pool.query<{ id: string; recording: string }>(
      `SELECT id, recording FROM calls WHERE recording_state = 'pending' AND recording IS NOT NULL
        AND split_part(gateway, '_', 2) = $1 LIMIT $2`,
      [this.node, limit],
    );
    return rows;
  }

  /** The record of a call has no recording any more, and its file is not wanted. */
  async forget(callId: string): Promise<void> {
    await this.db.transaction(async (tx) => {
      await tx.execute(unwanting(callId));
      await tx.execute(sql`UPDATE calls SET recording = NULL, recording_state = NULL WHERE id = ${callId}`);
    });
  }

  /** Recordings to be removed that this node can remove: on its own disk, and in the home where it has one. */
  async unwanted(limit: number, hasHome: boolean): Promise<readonly RecordingRow[]> {
    const { rows } = await this.pool.query<RecordingRow>(
      `SELECT ${COLUMNS} FROM recordings WHERE NOT wanted
        AND ((place = 'node' AND node = $1) OR (place = 'home' AND $3)) LIMIT $2`,
      [this.node, limit, hasHome],
    );
    return rows;
  }

  /** Its file was removed. */
  async drop(callId: string): Promise<void> {
    await this.pool.query('DELETE FROM recordings WHERE call_id = $1 AND NOT wanted', [callId]);
  }

  /** Some of those that only the disk of `node` had, and that are gone with it: no call has them any more. @returns how many. */
  async lose(node: string, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query(
      `WITH lost AS (DELETE FROM recordings WHERE call_id IN (SELECT call_id FROM recordings WHERE node = $1 AND place = 'node' LIMIT $2)
          AND place = 'node' RETURNING call_id), unnamed AS (
        UPDATE calls SET recording = NULL, recording_state = NULL WHERE id IN (SELECT call_id FROM lost))
        SELECT 1 FROM lost`,
      [node, limit],
    );
    return rowCount ?? 0;
  }

  /** Recordings on this node that are ready to go to the home. */
  async toStore(limit: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `SELECT r.call_id AS id FROM recordings r JOIN calls c ON c.id = r.call_id
        WHERE r.place = 'node' AND r.node = $1 AND r.wanted AND c.recording_state = 'ready' LIMIT $2`,
      [this.node, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** It is in the home now. @returns false where it is not wanted any more, or was there before. */
  async stored(callId: string, bytes: number, sha256: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `UPDATE recordings SET place = 'home', bytes = $2, sha256 = $3, stored_at = now()
        WHERE call_id = $1 AND place = 'node' AND wanted`,
      [callId, bytes, sha256],
    );
    return rowCount === 1;
  }

  /**
   * Those of these names, where there is a row or at least a call that names them: one that a gateway of before wrote, beside
   * this one. `unlistedId` is that call.
   */
  async known(names: readonly string[]): Promise<ReadonlyMap<string, KnownName>> {
    const { rows } = await this.pool.query<KnownName & { readonly name: string }>(
      `SELECT name, place, node, NULL AS "unlistedId" FROM recordings WHERE name = ANY($1)
        UNION ALL SELECT recording, 'node', split_part(gateway, '_', 2), id FROM calls
        WHERE id = ANY(SELECT substring(n from '([^/.]+)[.][a-z0-9]+$') FROM unnest($1::text[]) n) AND recording = ANY($1)
          AND NOT EXISTS (SELECT 1 FROM recordings r WHERE r.call_id = calls.id)`,
      [names],
    );
    return new Map(rows.map(({ name, ...row }) => [name, row]));
  }

  /** Names that should be in the home, in their order, after `after` and up to `last`. */
  async inHome(after: string, last: string, limit: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ name: string }>(
      `SELECT name FROM recordings WHERE place = 'home' AND wanted AND name > $1 AND name <= $2 ORDER BY name LIMIT $3`,
      [after, last, limit],
    );
    return rows.map(({ name }) => name);
  }
}
