import { randomInt } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { AgentDefinition } from '../../src/core/agent.ts';
import { askDesk, openDesk, type Shared } from './desk.ts';
import { type Gateway, metricsOf, prepared, type RunningGateway, startGateway } from './gateway.ts';
import { withStore } from './gateway-store.ts';
import { sharedDatabase } from './shared-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Unix socket on which the run tells where its gateway is. */
    readonly gatewayDesk: string;
  }
}

type Facts = Pick<RunningGateway, 'sip' | 'sipPort' | 'api' | 'token' | 'dataDir' | 'env'> & {
  readonly logFile: string;
};

/** One gateway as it is shipped for all test files of a run that only call it, started when the first of them asks. */
export default async function shareGateway(project: TestProject): Promise<() => Promise<void>> {
  const { address, close } = await openDesk((folder) =>
    startPrepared(folder, project.getProvidedContext().postgresDesk),
  );
  project.provide('gatewayDesk', address);
  return close;
}

async function startPrepared(folder: string, postgresDesk: string): Promise<Shared> {
  const logFile = join(folder, 'log');
  const gateway = await startGateway({ databaseUrl: await sharedDatabase(postgresDesk) });
  logTo(logFile, gateway);
  await prepared(gateway);
  const { sip, sipPort, api, token, dataDir, env } = gateway;
  const facts: Facts = { sip, sipPort, api, token, dataDir, env, logFile };
  return { facts, close: () => gateway.dispose() };
}

function logTo(file: string, gateway: Gateway): void {
  appendFileSync(file, gateway.log());
  gateway.process.stderr!.on('data', (chunk: Buffer) => appendFileSync(file, chunk));
}

/**
 * The gateway of the run, with callers from other files at the same time: what a test expects of it is about its own calls and
 * its own account. Nobody may stop it.
 */
export async function sharedGateway(desk: string): Promise<RunningGateway> {
  const { logFile, ...facts } = await askDesk<Facts>(desk, 'the gateway');
  const log = (): string => readFileSync(logFile, 'utf8');
  return { ...facts, log, metrics: () => metricsOf(log()) };
}

/** A number of the gateway that an agent of the test's own answers, for an account of its own. */
export const numberOf = (gateway: RunningGateway, agent: AgentDefinition): Promise<string> =>
  withStore(gateway, async ({ accounts, agents, charges, numbers }) => {
    const { id } = await accounts.create(agent.name);
    await charges.topup(`${id}/credit`, id, 1_000, 'topup', 'of a test');
    const [made] = await agents.importMissing(id, [agent]);
    const number = `7${randomInt(1e8, 1e9)}`;
    await numbers.assignIfFree(number, id, made!.id);
    return number;
  });
