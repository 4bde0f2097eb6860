import { and, asc, eq, inArray, isNull, ne } from 'drizzle-orm';
import type { Agent } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import type { AgentRows } from './agents.ts';
import type { Database } from './database.ts';
import { agents, numbers } from './schema.ts';
import { TtlCache } from './ttl-cache.ts';

export interface NumberEntry {
  readonly number: string; // as dialled: digits, or a SIP user part
  readonly accountId: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly enabled: boolean;
}

const NUMBERS_MAX = 10_000; // listed
/** Other gateways on the same database see a change that much later; this one at once. */
const RESOLVED_TTL_MS = 5_000;
const RESOLVED_MAX = 10_000;

interface Resolved {
  readonly agent: Agent | undefined;
  readonly enabled: boolean;
}

/** Which agent answers a number. */
export class NumberRows {
  readonly #resolved: TtlCache<Resolved | undefined>;
  constructor(
    private readonly db: Database,
    private readonly agentRows: AgentRows,
    clock: Clock,
  ) {
    this.#resolved = new TtlCache(clock, RESOLVED_TTL_MS, RESOLVED_MAX);
  }

  /** The agent of `number`, live or not, switched on or off; undefined when it is nobody's. Remembered for a few seconds. */
  async resolve(number: string): Promise<Agent | undefined> {
    return (await this.#find(number))?.agent;
  }

  /** Whether somebody's number takes no calls for now. Remembered as long. */
  async isOff(number: string): Promise<boolean> {
    return (await this.#find(number))?.enabled === false;
  }

  #find(number: string): Promise<Resolved | undefined> {
    return this.#resolved.get(number, async () => {
      const [row] = await this.db.select().from(numbers).where(eq(numbers.number, number));
      return row && { agent: await this.agentRows.get(row.accountId, row.agentId), enabled: row.enabled };
    });
  }

  /** @returns whether the account has such a number. */
  async setEnabled(number: string, accountId: string, enabled: boolean): Promise<boolean> {
    const rows = await this.db
      .update(numbers)
      .set({ enabled })
      .where(and(eq(numbers.number, number), eq(numbers.accountId, accountId)))
      .returning({ number: numbers.number });
    this.forget();
    return rows.length > 0;
  }

  /** Forgets what was resolved: agents or numbers have changed. */
  forget(): void {
    this.#resolved.clear();
  }

  /**
   * Gives `number` to an agent, from another agent of its account or from nobody; with `take` also from another account.
   *
   * @returns `taken` when another account has it, `no-agent` when the account has no such agent: nothing has changed then.
   */
  async assign(
    number: string,
    accountId: string,
    agentId: string,
    { take = false }: { readonly take?: boolean } = {},
  ): Promise<'assigned' | 'no-agent' | 'taken'> {
    const agent = await this.agentRows.get(accountId, agentId);
    if (!agent) return 'no-agent';
    const rows = await this.db
      .insert(numbers)
      .values({ number, accountId, agentId })
      .onConflictDoUpdate({
        target: numbers.number,
        set: { accountId, agentId },
        ...(!take && { setWhere: eq(numbers.accountId, accountId) }),
      })
      .returning({ number: numbers.number });
    this.forget();
    return rows.length > 0 ? 'assigned' : 'taken';
  }

  /** Which of `wanted` other accounts have. */
  async takenByOthers(accountId: string, wanted: readonly string[]): Promise<readonly string[]> {
    const rows = await this.db
      .select({ number: numbers.number })
      .from(numbers)
      .where(and(inArray(numbers.number, [...wanted]), ne(numbers.accountId, accountId)))
      .orderBy(asc(numbers.number));
    return rows.map(({ number }) => number);
  }

  /** Like `assign`, unless somebody has the number. @returns whether it was free. */
  async assignIfFree(number: string, accountId: string, agentId: string): Promise<boolean> {
    const rows = await this.db
      .insert(numbers)
      .values({ number, accountId, agentId })
      .onConflictDoNothing()
      .returning({ number: numbers.number });
    this.forget();
    return rows.length > 0;
  }

  async remove(number: string, accountId?: string): Promise<boolean> {
    const mine = accountId === undefined ? undefined : eq(numbers.accountId, accountId);
    const rows = await this.db
      .delete(numbers)
      .where(and(eq(numbers.number, number), mine))
      .returning({ number: numbers.number });
    this.forget();
    return rows.length > 0;
  }

  list(accountId?: string): Promise<readonly NumberEntry[]> {
    const mine = accountId === undefined ? undefined : eq(numbers.accountId, accountId);
    return this.db
      .select({
        number: numbers.number,
        accountId: numbers.accountId,
        agentId: numbers.agentId,
        agentName: agents.name,
        enabled: numbers.enabled,
      })
      .from(numbers)
      .innerJoin(agents, and(eq(agents.id, numbers.agentId), isNull(agents.deletedAt)))
      .where(mine)
      .orderBy(asc(numbers.number))
      .limit(NUMBERS_MAX);
  }
}
