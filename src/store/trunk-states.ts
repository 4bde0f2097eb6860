import type pg from 'pg';
import type { TrunkStatus } from '../core/trunk-status.ts';
import type { Owner } from './gateway-identity.ts';

/** A gateway tells at least this often how its trunks are. */
export const TOLD_EVERY_MS = 30_000;
/** What was told longer ago is of a gateway that is no more. */
const OLD_SECONDS = 90;
const ROWS_MAX = 10_000;

/** How trunks are: written by gateways that run, read by whoever asks. */
export class TrunkStateRows {
  constructor(
    private readonly pool: pg.Pool,
    private readonly owner: Owner,
  ) {}

  /** Trunks that are gone are passed over. */
  async tell(states: ReadonlyMap<string, TrunkStatus>): Promise<void> {
    if (states.size === 0) return;
    await this.pool.query(
      `INSERT INTO trunk_states (trunk_id, gateway, status)
       SELECT new.trunk_id, $1, new.status FROM unnest($2::text[], $3::jsonb[]) AS new (trunk_id, status)
       JOIN trunks ON trunks.id = new.trunk_id
       ON CONFLICT (trunk_id, gateway) DO UPDATE SET status = excluded.status, updated_at = now()`,
      [this.owner.id, [...states.keys()], [...states.values()].map((status) => JSON.stringify(status))],
    );
  }

  async takeBack(): Promise<void> {
    await this.pool.query('DELETE FROM trunk_states WHERE gateway = $1', [this.owner.id]);
  }

  /** By trunk, of each gateway that runs. */
  async list(): Promise<ReadonlyMap<string, readonly TrunkStatus[]>> {
    const { rows } = await this.pool.query<{ trunkId: string; status: TrunkStatus }>(
      `SELECT trunk_id AS "trunkId", status FROM trunk_states
       WHERE updated_at > now() - make_interval(secs => ${OLD_SECONDS}) ORDER BY gateway LIMIT ${ROWS_MAX}`,
    );
    const found = new Map<string, TrunkStatus[]>();
    for (const { trunkId, status } of rows) found.set(trunkId, [...(found.get(trunkId) ?? []), status]);
    return found;
  }
}
