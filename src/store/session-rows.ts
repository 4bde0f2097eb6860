import { spanOf } from '../core/ids.ts';
import type { Queryable } from './database.ts';
import type { Owner } from './gateway-identity.ts';

export interface NewSession {
  readonly id: string; // ts_...
  readonly accountId: string;
  readonly kind: 'live-transcription';
}

/** Records of live transcription sockets. */
export class SessionRows {
  constructor(private readonly owner: Owner) {}

  async begin(on: Queryable, session: NewSession): Promise<void> {
    await on.query({
      name: 'session-begin',
      text: 'INSERT INTO sessions (id, account_id, kind, gateway) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING',
      values: [session.id, session.accountId, session.kind, this.owner.id],
    });
  }

  /** Notes how much audio was received so far; never goes back, and never touches an ended session. */
  async checkpoint(on: Queryable, id: string, audioMs: number): Promise<void> {
    await on.query({
      name: 'session-checkpoint',
      text: `UPDATE sessions SET checkpoint_at = now(), checkpoint_ms = greatest(checkpoint_ms, $2)
        WHERE id = $1 AND ended_at IS NULL`,
      values: [id, Math.floor(audioMs)],
    });
  }

  /** What it has cost is what was settled for it. @returns false when it had ended already, and was not only presumed dead. */
  async end(on: Queryable, id: string, audioMs: number, reason: string): Promise<boolean> {
    const { rowCount } = await on.query({
      name: 'session-end',
      text: `UPDATE sessions SET ended_at = now(), checkpoint_ms = $2, end_reason = $3,
          cost_cents = (SELECT coalesce(sum(settled_cents), 0) FROM charges WHERE owner = $1 AND id BETWEEN $4 AND $5)
        WHERE id = $1 AND (ended_at IS NULL OR end_reason = 'interrupted')`,
      values: [id, Math.floor(audioMs), reason, ...(spanOf('ts', [id]) ?? [id, id])],
    });
    return rowCount === 1;
  }
}
