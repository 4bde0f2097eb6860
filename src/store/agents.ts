import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Agent, AgentDefinition, AgentStatus } from '../core/agent.ts';
import { newId } from '../core/ids.ts';
import { agentDocuments } from './agent-document-schema.ts';
import type { Database } from './database.ts';
import { agents, agentVersions } from './schema.ts';

export interface AgentVersion {
  readonly version: number;
  readonly definition: AgentDefinition;
  /** As somebody wrote it, comments and all; nobody has held it to the definition here. */
  readonly yaml: string | undefined;
  readonly createdAt: Date;
}
interface Writing {
  readonly expected?: number | undefined;
  readonly live?: boolean | undefined;
  readonly yaml?: string | undefined;
}

const AGENTS_MAX = 1_000; // of an account, so that its list stays one page
const VERSIONS_MAX = 1_000; // listed

const SHAPE = {
  id: agents.id,
  accountId: agents.accountId,
  version: agents.version,
  status: agents.status,
  definition: agentVersions.definition,
  updatedAt: agents.updatedAt,
};

/**
 * Agents and their versions. Everything asks for the account too: another account's agent is as unknown as none.
 *
 *   draft --publish--> live <--pause/resume--> paused;  any --remove--> gone from every list (the row stays)
 */
export class AgentRows {
  /** @param changed - called after every write, so that who remembers agents can forget them. */
  constructor(
    private readonly db: Database,
    private readonly changed: () => void,
  ) {}

  /** Every agent of an account, the most recently changed first. */
  list(accountId: string): Promise<readonly Agent[]> {
    return this.#select(eq(agents.accountId, accountId)).orderBy(desc(agents.updatedAt), agents.id).limit(AGENTS_MAX);
  }

  /** Those that take calls, without what they say. */
  live(limit: number): Promise<readonly Pick<Agent, 'id' | 'accountId' | 'version'>[]> {
    const { id, accountId, version } = agents;
    return this.db
      .select({ id, accountId, version })
      .from(agents)
      .where(and(eq(agents.status, 'live'), isNull(agents.deletedAt)))
      .orderBy(desc(agents.updatedAt), id)
      .limit(limit);
  }

  async get(accountId: string, id: string): Promise<Agent | undefined> {
    const [row] = await this.#select(and(eq(agents.accountId, accountId), eq(agents.id, id)));
    return row;
  }

  async getByName(accountId: string, name: string): Promise<Agent | undefined> {
    const [row] = await this.#select(and(eq(agents.accountId, accountId), eq(agents.name, name)));
    return row;
  }

  /** @throws when the account has an agent of that name. */
  async create(
    accountId: string,
    definition: AgentDefinition,
    status: AgentStatus = 'draft',
    yaml?: string,
  ): Promise<Agent> {
    const id = newId('agt');
    await this.db.transaction(async (tx) => {
      await tx.insert(agents).values({ id, accountId, name: definition.name, status, version: 1 });
      await tx.insert(agentVersions).values({ agentId: id, version: 1, definition, yaml: yaml ?? null });
    });
    this.changed();
    return (await this.get(accountId, id))!;
  }

  /** Creates those whose names the account does not have; `status` of the definition, else live. @param textOf - as somebody wrote it. */
  async importMissing(
    accountId: string,
    definitions: readonly AgentDefinition[],
    textOf: (definition: AgentDefinition) => string | undefined = () => undefined,
  ): Promise<readonly Agent[]> {
    const made: Agent[] = [];
    for (const definition of definitions) {
      if (await this.getByName(accountId, definition.name)) continue;
      made.push(await this.create(accountId, definition, definition.status ?? 'live', textOf(definition)));
    }
    return made;
  }

  /**
   * Puts a definition in force as a new version and makes the agent live: a changed one, the draft as it is when none is
   * given, or an older version again (rolling back is publishing it). A kept text goes with its definition.
   *
   * @param yaml - of a definition that is given: as somebody wrote it.
   * @returns undefined when the account has no such agent (or it no such version).
   */
  async publish(
    accountId: string,
    id: string,
    what?: AgentDefinition | { readonly version: number },
    yaml?: string,
  ): Promise<Agent | undefined> {
    const written = await this.#write(accountId, id, what, { live: true, yaml });
    return written === 'written' ? this.get(accountId, id) : undefined;
  }

  /**
   * Makes a definition the current version; a draft stays one, and what is live says it from the next call on.
   *
   * @param expected - the version that was changed: `stale` where there is another by now.
   * @param live - it takes calls from then on, whatever it was.
   * @param yaml - as somebody wrote it, comments and all.
   * @returns undefined when the account has no such agent.
   */
  async change(
    accountId: string,
    id: string,
    definition: AgentDefinition,
    writing: Writing = {},
  ): Promise<Agent | 'stale' | undefined> {
    const written = await this.#write(accountId, id, definition, writing);
    return written === 'written' ? this.get(accountId, id) : written;
  }

  async #write(
    accountId: string,
    id: string,
    what: AgentDefinition | { readonly version: number } | undefined,
    { live = false, expected, yaml: given }: Writing,
  ): Promise<'written' | 'stale' | undefined> {
    const outcome = await this.db.transaction(async (tx) => {
      const [row] = await tx
        .select({ version: agents.version })
        .from(agents)
        .where(and(eq(agents.accountId, accountId), eq(agents.id, id), isNull(agents.deletedAt)))
        .for('update');
      if (!row) return undefined;
      if (expected !== undefined && expected !== row.version) return 'stale' as const;
      const fromVersion = what === undefined ? row.version : 'version' in what ? what.version : undefined;
      const [old] =
        fromVersion === undefined
          ? [{ definition: what as AgentDefinition, yaml: given ?? null }]
          : await tx
              .select({ definition: agentVersions.definition, yaml: agentVersions.yaml })
              .from(agentVersions)
              .where(and(eq(agentVersions.agentId, id), eq(agentVersions.version, fromVersion)));
      if (!old) return undefined;
      const { definition, yaml } = old;
      const [last] = await tx
        .select({ version: sql<number>`max(${agentVersions.version})` })
        .from(agentVersions)
        .where(eq(agentVersions.agentId, id));
      const version = (last?.version ?? 0) + 1;
      await tx.insert(agentVersions).values({ agentId: id, version, definition, yaml });
      await tx
        .update(agents)
        .set({ version, ...(live && { status: 'live' as const }), name: definition.name, updatedAt: new Date() })
        .where(eq(agents.id, id));
      return 'written' as const;
    });
    this.changed();
    return outcome;
  }

  /** live <-> paused. @returns undefined when there is no such agent, or it is a draft: that is published instead. */
  async setStatus(accountId: string, id: string, status: 'live' | 'paused'): Promise<Agent | undefined> {
    const rows = await this.db
      .update(agents)
      .set({ status, updatedAt: new Date() })
      .where(
        and(
          eq(agents.accountId, accountId),
          eq(agents.id, id),
          isNull(agents.deletedAt),
          sql`${agents.status} <> 'draft'`,
        ),
      )
      .returning({ id: agents.id });
    this.changed();
    return rows.length > 0 ? this.get(accountId, id) : undefined;
  }

  /** Its documents go with it. */
  async remove(accountId: string, id: string): Promise<boolean> {
    const rows = await this.db.transaction(async (tx) => {
      const gone = await tx
        .update(agents)
        .set({ deletedAt: new Date() })
        .where(and(eq(agents.accountId, accountId), eq(agents.id, id), isNull(agents.deletedAt)))
        .returning({ id: agents.id });
      if (gone.length > 0) await tx.delete(agentDocuments).where(eq(agentDocuments.agentId, id));
      return gone;
    });
    this.changed();
    return rows.length > 0;
  }

  /** The newest first. Empty for another account's agent. */
  versions(accountId: string, id: string): Promise<readonly Omit<AgentVersion, 'yaml'>[]> {
    return this.db
      .select({
        version: agentVersions.version,
        definition: agentVersions.definition,
        createdAt: agentVersions.createdAt,
      })
      .from(agentVersions)
      .innerJoin(agents, eq(agents.id, agentVersions.agentId))
      .where(and(eq(agents.accountId, accountId), eq(agents.id, id)))
      .orderBy(desc(agentVersions.version))
      .limit(VERSIONS_MAX);
  }

  /** Which versions there are, without what is in them; the newest first, those before `before`. */
  versionList(
    accountId: string,
    id: string,
    { limit, before }: { readonly limit: number; readonly before?: number },
  ): Promise<readonly Omit<AgentVersion, 'definition' | 'yaml'>[]> {
    const mine = and(eq(agents.accountId, accountId), eq(agents.id, id), isNull(agents.deletedAt));
    return this.db
      .select({ version: agentVersions.version, createdAt: agentVersions.createdAt })
      .from(agentVersions)
      .innerJoin(agents, eq(agents.id, agentVersions.agentId))
      .where(and(mine, before === undefined ? undefined : lt(agentVersions.version, before)))
      .orderBy(desc(agentVersions.version))
      .limit(limit);
  }

  async version(accountId: string, id: string, version: number): Promise<AgentVersion | undefined> {
    const mine = and(eq(agents.accountId, accountId), eq(agents.id, id), isNull(agents.deletedAt));
    const { version: number, definition, yaml, createdAt } = agentVersions;
    const [row] = await this.db
      .select({ version: number, definition, yaml, createdAt })
      .from(agentVersions)
      .innerJoin(agents, eq(agents.id, agentVersions.agentId))
      .where(and(mine, eq(number, version)));
    return row && { ...row, yaml: row.yaml ?? undefined };
  }

  /** Whether the account holds as many as its list shows. */
  async areFull(accountId: string): Promise<boolean> {
    return (await this.db.$count(agents, and(eq(agents.accountId, accountId), isNull(agents.deletedAt)))) >= AGENTS_MAX;
  }

  #select(where: ReturnType<typeof and>) {
    return this.db
      .select(SHAPE)
      .from(agents)
      .innerJoin(agentVersions, and(eq(agentVersions.agentId, agents.id), eq(agentVersions.version, agents.version)))
      .where(and(where, isNull(agents.deletedAt)))
      .$dynamic();
  }
}
