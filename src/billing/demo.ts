import type { AgentDefinition } from '../core/agent.ts';
import { inTransaction } from '../store/database.ts';
import type { Store } from '../store/store.ts';

export interface DemoOptions {
  readonly accountName: string;
  readonly creditCents: number;
  readonly agents: readonly AgentDefinition[];
  /** What somebody wrote of one of them, comments and all. */
  readonly textOf?: (agent: AgentDefinition) => string | undefined;
  /** Number -> name of the agent that answers it. */
  readonly numbers: Readonly<Record<string, string>>;
}

export interface Demo {
  readonly accountId: string;
  /** The API token, only at the first start: later its secret is nowhere. */
  readonly tokenSecret?: string;
  readonly importedAgents: readonly string[];
  readonly importedNumbers: readonly string[];
}

/** What was imported before: an agent or number that its owner removed or changed does not come back. */
interface DemoState {
  readonly accountId: string;
  readonly agents: readonly string[];
  readonly numbers: readonly string[];
}

const SETTING = 'demo';
const LOCK_KEY = 7_102_318_345; // gateways that start together on one database take turns

/**
 * Makes the first start useful: an account with credit and a token, the agents and numbers of the configuration. Each is
 * imported once; from then on the database owns it, and the file is only where it came from.
 */
export async function ensureDemo(store: Store, options: DemoOptions): Promise<Demo> {
  return inTransaction(store.pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY]);
    return importDemo(store, options);
  });
}

async function importDemo(store: Store, options: DemoOptions): Promise<Demo> {
  const known = await store.settings.get<DemoState>(SETTING);
  const accountId = known?.accountId ?? (await store.accounts.create(options.accountName)).id;
  await store.charges.topup(`${accountId}/demo-credit`, accountId, options.creditCents, 'topup', 'first credit');
  const tokenSecret = known ? undefined : (await store.tokens.create(accountId, options.accountName)).secret;
  const state = { accountId, agents: [...(known?.agents ?? [])], numbers: [...(known?.numbers ?? [])] };

  const fresh = options.agents.filter((agent) => !state.agents.includes(agent.name));
  const importedAgents = (await store.agents.importMissing(accountId, fresh, options.textOf)).map(
    (agent) => agent.definition.name,
  );
  state.agents.push(...fresh.map((agent) => agent.name));

  const importedNumbers: string[] = [];
  for (const [number, agentName] of Object.entries(options.numbers)) {
    if (state.numbers.includes(number)) continue;
    const agent = await store.agents.getByName(accountId, agentName);
    if (!agent) continue; // Tried again at the next start, when the agent may be there.
    if (await store.numbers.assignIfFree(number, accountId, agent.id)) importedNumbers.push(number);
    state.numbers.push(number);
  }
  await store.settings.set(SETTING, state);
  return { accountId, importedAgents, importedNumbers, ...(tokenSecret !== undefined && { tokenSecret }) };
}
