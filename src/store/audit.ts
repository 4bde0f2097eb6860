import { and, desc, eq, gte, lt } from 'drizzle-orm';
import type { Database } from './database.ts';
import { auditEntries } from './management-schema.ts';

export type AuditEntry = typeof auditEntries.$inferSelect;

export interface Actor {
  readonly kind: AuditEntry['actorKind'];
  readonly id: string;
  readonly name: string;
}

/** A change: what was done to what, and how it was before and after, without secrets. */
export interface NewAuditEntry {
  readonly accountId: string;
  readonly actor: Actor;
  readonly action: string; // the operation
  readonly target: { readonly kind: string; readonly id: string };
  readonly before?: unknown;
  readonly after?: unknown;
  readonly requestId: string;
}

export interface AuditQuery {
  readonly limit: number;
  readonly before?: number; // `seq` of the last entry of the page before
  readonly action?: string;
  readonly actorId?: string;
  readonly targetId?: string;
  readonly targetKind?: string;
  readonly from?: Date;
  readonly to?: Date; // not part of it
}

/** Of one entry; a definition that is larger is in the versions of its agent. */
const VALUE_CHARS_MAX = 100_000;

/** What was changed, by whom. */
export class AuditRows {
  constructor(private readonly db: Database) {}

  async add(entries: readonly NewAuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.db.insert(auditEntries).values(
      entries.map(({ accountId, actor, action, target, before, after, requestId }) => ({
        ...{ accountId, actorKind: actor.kind, actorId: actor.id, actorName: actor.name },
        ...{ action, targetKind: target.kind, targetId: target.id, requestId },
        ...{ before: bounded(before), after: bounded(after) },
      })),
    );
  }

  /** The newest first. */
  list(accountId: string, query: AuditQuery): Promise<readonly AuditEntry[]> {
    const { limit, before, action, actorId, targetId, targetKind, from, to } = query;
    return this.db
      .select()
      .from(auditEntries)
      .where(
        and(
          eq(auditEntries.accountId, accountId),
          before === undefined ? undefined : lt(auditEntries.seq, before),
          action === undefined ? undefined : eq(auditEntries.action, action),
          actorId === undefined ? undefined : eq(auditEntries.actorId, actorId),
          targetId === undefined ? undefined : eq(auditEntries.targetId, targetId),
          targetKind === undefined ? undefined : eq(auditEntries.targetKind, targetKind),
          from === undefined ? undefined : gte(auditEntries.at, from),
          to === undefined ? undefined : lt(auditEntries.at, to),
        ),
      )
      .orderBy(desc(auditEntries.seq))
      .limit(limit);
  }
}

/** PostgreSQL takes no zero character in JSON, and no half of a pair. */
function bounded(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  const json = JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'string' ? one.toWellFormed().replaceAll('\0', '') : one,
  );
  return json.length <= VALUE_CHARS_MAX ? JSON.parse(json) : { too_large: json.length };
}
