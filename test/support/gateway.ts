import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bringLearnt, takeLearnt } from './learnt.ts';
import { freeSipPort, freeTcpPort, freeUdpRange } from './ports.ts';
import { sipBackend } from './sip-backend.ts';
import { until } from './until.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What Node runs for a program of the build, whose name comes behind it: as `./scripts/up` and `./scripts/nidaa` do. */
const programIn = (root: string): readonly string[] => [join(root, 'scripts/run.mjs')];
export const PROGRAM = programIn(ROOT);

/** A gateway that runs, as its callers and its operator see it. */
export interface RunningGateway {
  readonly sip: string; // sip:1000@127.0.0.1:PORT
  readonly sipPort: number;
  readonly api: string;
  readonly token: string;
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** Everything it logged so far. */
  log(): string;
  /** What a scraper gets. */
  metrics(): Promise<string>;
}

/** A whole gateway in its own process, with its own data folder and free ports. */
export interface Gateway extends RunningGateway {
  readonly process: ChildProcess;
  /** The one-time link that sets the first password, where it printed one. */
  readonly welcome: string | undefined;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

export interface GatewayOptions {
  readonly dataDir?: string;
  /** Without it the gateway makes a PostgreSQL of its own in its data folder. */
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly readyWithinMs?: number;
  /** Of another build than this one. */
  readonly root?: string;
  /** What goes before its command line, to run it in another network. */
  readonly within?: readonly string[];
}

/** Two a call, and those that drain: each is tried before a gateway gets it, and two gateways of one file find room. */
const RTP_PORTS = 400;

/** A start on a machine that does much else. */
const READY_MS_MAX = 150_000;

/** A port that was free a second before may be taken by then: others are tried, unless the test has chosen them. */
const STARTS_MAX = 4;

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'nidaa-test-'));
  const isChosen = ['NIDAA_SIP_PORT', 'NIDAA_HTTP_PORT'].some((name) => options.env?.[name] !== undefined);
  for (let starts = 1; ; starts += 1) {
    try {
      return await startOnFreePorts({ ...options, dataDir });
    } catch (error) {
      if (isChosen || starts >= STARTS_MAX || !String(error).includes('EADDRINUSE')) throw error;
    }
  }
}

async function startOnFreePorts(options: GatewayOptions & { readonly dataDir: string }): Promise<Gateway> {
  const { dataDir } = options;
  const rtpPort = await freeUdpRange(RTP_PORTS);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NIDAA_HOST: '127.0.0.1',
    NIDAA_SIP_PORT: String(await freeSipPort()),
    NIDAA_HTTP_PORT: String(await freeTcpPort()),
    NIDAA_METRICS_PORT: '0',
    NIDAA_RTP_PORTS: `${rtpPort}-${rtpPort + RTP_PORTS - 1}`,
    NIDAA_DATA_DIR: dataDir,
    ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
    ...options.env,
  };
  // Without the source maps: to read those of every module is a tenth of a start.
  const backend = await sipBackend(
    env['NIDAA_CONFIG'] ?? join(ROOT, 'config/nidaa.yaml'),
    Number(env['NIDAA_SIP_PORT']),
  );
  if (backend) env['NIDAA_CONFIG'] = backend.config;
  bringLearnt(dataDir);
  const { root = ROOT } = options;
  const command = [...(options.within ?? []), process.execPath, ...programIn(root), 'main'];
  const child = spawn(command[0]!, command.slice(1), { env, cwd: root });
  let log = '';
  child.stderr!.on('data', (chunk) => {
    log += String(chunk);
    if (String(chunk).includes(PREPARED)) takeLearnt(dataDir);
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const ready = await readReady(child, exited, options.readyWithinMs ?? READY_MS_MAX, () => log);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return exited;
  };
  return {
    ...{ process: child, sipPort: Number(env['NIDAA_SIP_PORT']), dataDir, env, stop, log: () => log },
    ...ready,
    metrics: () => metricsOf(log),
    dispose: async () => {
      await stop();
      await backend?.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** What it logs when its agents have learnt and its models are loaded. */
const PREPARED = '"agents are prepared"';

/** Until it has done what it does after its start, which holds up the first calls on a machine that does much else. */
export const prepared = (gateway: RunningGateway): Promise<true> =>
  until(
    () => gateway.log().includes(PREPARED),
    () => `agents are prepared\n${gateway.log()}`,
    READY_MS_MAX,
  );

/** What the listener for scrapers gives whose address is in `log`. */
export async function metricsOf(log: string): Promise<string> {
  const address = /"address":"([^"]+)","msg":"metrics are served"/.exec(log)?.[1];
  if (!address) throw new Error('no metrics are served');
  return (await fetch(address)).text();
}

function readReady(
  child: ChildProcess,
  exited: Promise<number | null>,
  withinMs: number,
  log: () => string,
): Promise<{ sip: string; api: string; token: string; welcome: string | undefined }> {
  return new Promise((resolve, reject) => {
    let out = '';
    const fail = (why: string): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`the gateway did not start: ${why}\n${out}\n${log()}`));
    };
    const timer = setTimeout(() => fail('no READY line in time'), withinMs);
    void exited.then((code) => fail(`it exited with ${code}`));
    child.stdout!.on('data', (chunk) => {
      out += String(chunk);
      const match = /^READY sip=(\S+) api=(\S+) token=(\S+)/m.exec(out);
      if (!match) return;
      clearTimeout(timer);
      const welcome = /\S+\/console\/welcome#\S+/.exec(out)?.[0];
      resolve({ sip: match[1]!, api: match[2]!, token: match[3]!, welcome });
    });
  });
}

/** Runs the command line against a gateway's data. */
export function nidaa(
  gateway: RunningGateway,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...PROGRAM, 'cli/nidaa', ...args], { env: gateway.env, cwd: ROOT });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk);
    });
    child.once('exit', (code) => resolve({ code, stdout, stderr }));
  });
}
