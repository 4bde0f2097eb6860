import { spawn } from 'node:child_process';
import { runCommand } from '../../src/cli/command.ts';
import { PROGRAM, ROOT } from './gateway.ts';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as an operator does, with more environment; `input` goes to its standard input. */
export function runNidaa(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  input = '',
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...PROGRAM, 'cli/nidaa', ...args], {
      env: { ...process.env, ...env },
      cwd: ROOT,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

let last: Promise<unknown> = Promise.resolve();

/**
 * The same command in this process, for what it answers: a start of the program costs many times the work of most commands.
 * One at a time, since they share a standard output. What reads standard input, or ends the process, needs `runNidaa`.
 */
export function runHere(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<CommandResult> {
  const run = last.then(() => captured(env, args));
  last = run;
  return run;
}

async function captured(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<CommandResult> {
  const { env: environment, exitCode } = process;
  const streams = [process.stdout, process.stderr] as const;
  const originals = streams.map((stream) => stream.write);
  const written = streams.map((stream) => {
    const pieces: Buffer[] = [];
    stream.write = (piece: string | Uint8Array, ...rest: unknown[]): boolean => {
      pieces.push(Buffer.from(piece as string));
      const done = rest.at(-1);
      if (typeof done === 'function') process.nextTick(done);
      return true;
    };
    return pieces;
  });
  process.env = { ...environment, ...env };
  process.exitCode = undefined;
  try {
    await runCommand([process.execPath, 'nidaa', ...args]);
    const [stdout, stderr] = written.map((pieces) => Buffer.concat(pieces).toString('utf8'));
    return { code: Number(process.exitCode ?? 0), stdout: stdout!, stderr: stderr! };
  } finally {
    for (const [index, stream] of streams.entries()) stream.write = originals[index]!;
    process.env = environment;
    process.exitCode = exitCode;
  }
}
