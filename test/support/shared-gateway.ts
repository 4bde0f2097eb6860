import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';
import { type Gateway, metricsOf, prepared, type RunningGateway, startGateway } from './gateway.ts';

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
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-test-'));
  const address = join(folder, 'desk');
  const logFile = join(folder, 'log');
  let gateway: Promise<Gateway> | undefined;
  const desk = createServer((socket) => {
    gateway ??= startGateway().then(async (started) => {
      logTo(logFile, started);
      await prepared(started);
      return started;
    });
    gateway.then(
      ({ sip, sipPort, api, token, dataDir, env }) =>
        socket.end(JSON.stringify({ sip, sipPort, api, token, dataDir, env, logFile } satisfies Facts)),
      (error: Error) => socket.end(JSON.stringify({ error: error.message })),
    );
  });
  desk.listen(address);
  await once(desk, 'listening');
  project.provide('gatewayDesk', address);
  return async () => {
    desk.close();
    await (await gateway)?.dispose();
    rmSync(folder, { recursive: true, force: true });
  };
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
  const answer = JSON.parse(await text(connect(desk))) as Facts & { readonly error?: string };
  if (answer.error !== undefined) throw new Error(`the gateway of the run did not start: ${answer.error}`);
  const { logFile, ...facts } = answer;
  const log = (): string => readFileSync(logFile, 'utf8');
  return { ...facts, log, metrics: () => metricsOf(log()) };
}
