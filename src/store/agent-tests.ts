import { and, desc, eq, lt, notInArray, or, sql } from 'drizzle-orm';
import type { DialogueResult } from '../core/agent-tests.ts';
import { newId } from '../core/ids.ts';
import { agentTestRuns, agentTests, type TestRunState } from './agent-test-schema.ts';
import type { Database } from './database.ts';

export type AgentTestsRow = typeof agentTests.$inferSelect;
export type TestRunRow = typeof agentTestRuns.$inferSelect;
export type NewTestRun = Pick<
  TestRunRow,
  'agentId' | 'accountId' | 'agentVersion' | 'mode' | 'trigger' | 'dialogues' | 'startedAt'
>;

/** Runs that are kept, of an agent. */
export const RUNS_KEPT = 50;

/** The dialogues that agents must hold, and the runs of them. Another account's are as unknown as none. */
export class AgentTestRows {
  constructor(private readonly db: Database) {}

  async get(accountId: string, agentId: string): Promise<AgentTestsRow | undefined> {
    const [row] = await this.db
      .select()
      .from(agentTests)
      .where(and(eq(agentTests.agentId, agentId), eq(agentTests.accountId, accountId)));
    return row;
  }

  /**
   * Writes them, or whether they are required; what is left out stays.
   *
   * @param expected - the revision that was changed, 0 for none: `stale` where there is another by now.
   */
  async put(
    accountId: string,
    agentId: string,
    { yaml, required }: { readonly yaml?: string | undefined; readonly required?: boolean | undefined },
    expected?: number,
  ): Promise<AgentTestsRow | 'stale'> {
    const fresh = { agentId, accountId, yaml: yaml ?? '', required: required ?? false };
    const change = {
      ...(yaml !== undefined && { yaml }),
      ...(required !== undefined && { required }),
      ...{ revision: sql`${agentTests.revision} + 1`, updatedAt: sql`now()` },
    };
    const [row] = await this.db
      .insert(agentTests)
      .values(fresh)
      .onConflictDoUpdate({
        ...{ target: agentTests.agentId, set: change },
        setWhere: and(
          eq(agentTests.accountId, accountId),
          expected === undefined ? undefined : eq(agentTests.revision, expected),
        ),
      })
      .returning();
    return row ?? 'stale';
  }

  /** For an agent that has none, whatever was written for it since. */
  async putMissing(accountId: string, agentId: string, yaml: string): Promise<void> {
    await this.db.insert(agentTests).values({ agentId, accountId, yaml }).onConflictDoNothing();
  }

  /** Begins a run; the oldest of the agent go. */
  async begin(run: NewTestRun): Promise<TestRunRow> {
    const [row] = await this.db
      .insert(agentTestRuns)
      .values({ id: newId('atr'), state: 'running', ...run })
      .returning();
    const mine = eq(agentTestRuns.agentId, run.agentId);
    const kept = this.db
      .select({ id: agentTestRuns.id })
      .from(agentTestRuns)
      .where(mine)
      .orderBy(desc(agentTestRuns.startedAt), desc(agentTestRuns.id))
      .limit(RUNS_KEPT);
    await this.db.delete(agentTestRuns).where(and(mine, notInArray(agentTestRuns.id, kept)));
    return row!;
  }

  async progress(id: string, results: readonly DialogueResult[]): Promise<void> {
    await this.db.update(agentTestRuns).set({ results }).where(eq(agentTestRuns.id, id));
  }

  async end(
    id: string,
    what: { readonly state: Exclude<TestRunState, 'running'>; readonly why?: string; readonly endedAt: Date } & {
      readonly results: readonly DialogueResult[];
    },
  ): Promise<void> {
    await this.db.update(agentTestRuns).set(what).where(eq(agentTestRuns.id, id));
  }

  async run(accountId: string, agentId: string, id: string): Promise<TestRunRow | undefined> {
    const [row] = await this.db
      .select()
      .from(agentTestRuns)
      .where(and(eq(agentTestRuns.id, id), eq(agentTestRuns.accountId, accountId), eq(agentTestRuns.agentId, agentId)));
    return row;
  }

  /** The newest first, those before `before`. */
  runs(
    accountId: string,
    agentId: string,
    { limit, before }: { readonly limit: number; readonly before?: { readonly at: Date; readonly id: string } },
  ): Promise<readonly TestRunRow[]> {
    const { startedAt, id } = agentTestRuns;
    return this.db
      .select()
      .from(agentTestRuns)
      .where(
        and(
          ...[eq(agentTestRuns.accountId, accountId), eq(agentTestRuns.agentId, agentId)],
          before && or(lt(startedAt, before.at), and(eq(startedAt, before.at), lt(id, before.id))),
        ),
      )
      .orderBy(desc(startedAt), desc(id))
      .limit(limit);
  }
}
