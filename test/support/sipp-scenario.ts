import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeSipPort } from './ports.ts';
import { until } from './until.ts';

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
  const port = await freeSipPort();
  // A file of its own: sipp gives up where it cannot open it, and pipes of ours are sockets, which nobody can open by name.
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-sipp-'));
  const errors = join(folder, 'errors.log');
  const args = [...(target ? [target] : []), '-sf', file, '-m', '1', '-nostdin', '-i', '127.0.0.1', '-p', String(port)];
  const child = spawn(
    'sipp',
    [...args, '-s', '1000', '-timeout', '25s', '-trace_err', '-error_file', errors, ...extra],
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
      if (existsSync(errors)) output += readFileSync(errors, 'latin1').slice(0, 2_000);
      rmSync(folder, { recursive: true, force: true });
      resolve({ code, output });
    });
  });
  // sipp says nothing when it listens. Asked by a socket of our own, its port would be taken just when it wants it.
  if (!target) {
    const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
    await until(() => ended() || isBound(port), 'sipp listens');
    if (ended()) throw new Error(`sipp does not listen: ${(await done).output.slice(-500)}`);
  }
  return { port, done, stop: () => child.kill('SIGKILL') };
}

/** Ends what a failed test left behind. */
export function stopScenarios(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Whether a program of this machine has the UDP port, as the kernel lists it. */
function isBound(port: number): boolean {
  return readFileSync('/proc/net/udp', 'latin1').includes(
    `:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000`,
  );
}
