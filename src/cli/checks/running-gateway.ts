import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../../config/load.ts';
import { type Finding, fail, info, ok, warn } from './finding.ts';
import { portHolder } from './port-holders.ts';

/** A gateway that runs now with these settings: its processes hold ports rightly. */
export interface RunningGateway {
  readonly pids: ReadonlySet<number>;
  readonly findings: readonly Finding[];
}

interface Readiness {
  readonly parts?: Readonly<Record<string, { readonly state: string; readonly detail?: string }>>;
}

const ANSWER_MS_MAX = 2_000;

/** Looks for one by its health page and by the lock of the data folder. */
export async function findRunningGateway({ http, dataDir }: Config): Promise<RunningGateway> {
  const pids = new Set<number>();
  const locked = lockPid(dataDir);
  if (locked !== undefined) pids.add(locked);
  const { host, port } = http;
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const origin = `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
  const health = await ask(`${origin}/healthz`);
  const version = health?.response.headers.get('x-service-version');
  if (health?.response.ok && version) {
    const holder = portHolder('tcp', port);
    if (holder) pids.add(holder.pid);
    const who = [...pids].join(', ') || 'unknown';
    const readiness = (await ask(`${origin}/readyz`))?.body as Readiness | undefined;
    return { pids, findings: [ok('gateway', `version ${version} runs as process ${who}`), ...partFindings(readiness)] };
  }
  if (locked === undefined) return { pids, findings: [info('gateway', 'not running now')] };
  const detail = `process ${locked} holds the data folder, and no gateway answers on ${origin}`;
  const mend =
    'Is it another command, a gateway that is starting, or one with another NIDAA_HTTP_PORT? Look again in a moment.';
  return { pids, findings: [warn('gateway', detail, mend)] };
}

/** What it says of its parts; engines are looked at by a check of their own. */
function partFindings(readiness: Readiness | undefined): Finding[] {
  return Object.entries(readiness?.parts ?? {}).flatMap(([name, { state, detail = state }]) => {
    if (/^(transcription|synthesis|reply)/.test(name)) return [];
    const check = `gateway: ${name}`;
    if (state === 'down') return [fail(check, detail, 'See the log of the gateway.')];
    return state === 'degraded' ? [warn(check, detail, 'The gateway serves without it.')] : [];
  });
}

async function ask(url: string): Promise<{ response: Response; body: unknown } | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    return { response, body: await response.json() };
  } catch {
    return undefined;
  }
}

/** Who holds the lock of the embedded database, if that process lives and is not this one. */
function lockPid(dataDir: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'gateway.lock'), 'utf8'), 10);
    if (!(pid > 1) || pid === process.pid) return undefined;
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    void error; // no lock, or its holder is gone
    return undefined;
  }
}
