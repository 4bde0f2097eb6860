import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';

/** True when sipp is installed. */
export function haveSipp(): boolean {
  return spawnSync('sipp', ['-v'], { stdio: 'ignore' }).error === undefined;
}

export interface ScenarioRun {
  readonly port: number;
  /** Exit code: 0 when every message came as the scenario says. */
  readonly done: Promise<{ readonly code: number | null; readonly output: string }>;
  stop(): void;
}

let running: ChildProcess[] = [];

/** Runs one call of a scenario file; `target` for a caller, none for a callee. */
export async function runScenario(file: string, target?: string, extra: readonly string[] = []): Promise<ScenarioRun> {
  const port = await freePort();
  const args = [...(target ? [target] : []), '-sf', file, '-m', '1', '-nostdin', '-i', '127.0.0.1', '-p', String(port)];
  const child = spawn(
    'sipp',
    [...args, '-s', '1000', '-timeout', '25s', '-trace_err', '-error_file', '/dev/stderr', ...extra],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  running.push(child);
  let output = '';
  const add = (chunk: Buffer): void => {
    if (output.length < 50_000) output += chunk.toString('latin1');
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  const done = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => {
      running = running.filter((other) => other !== child);
      resolve({ code, output });
    });
  });
  if (!target) await listening(port);
  return { port, done, stop: () => child.kill('SIGKILL') };
}

/** Ends what a failed test left behind. */
export function stopScenarios(): void {
  for (const child of running) child.kill('SIGKILL');
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

/** sipp says nothing when it listens: its port is taken then. */
async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const socket = createSocket('udp4');
    const taken = await new Promise<boolean>((resolve) => {
      socket.once('error', () => resolve(true));
      socket.bind(port, '127.0.0.1', () => resolve(false));
    });
    socket.close();
    if (taken) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('sipp does not listen');
}
