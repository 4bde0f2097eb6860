import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs `script` (JavaScript of a module, `await` allowed) in a process of its own and kills it with SIGKILL once it has
 * written `lines` lines: by what it did and not by the clock, so a busy machine changes nothing. What it is doing at that moment
 * is chance.
 *
 * @returns every whole line that it had written.
 */
export async function runUntilKilled(
  script: string,
  args: readonly string[],
  lines: number,
): Promise<readonly string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    if (out.split('\n').length > lines) child.kill('SIGKILL');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal !== 'SIGKILL') throw new Error(`the process ended by itself (${code}): ${errors}`);
  return out
    .slice(0, out.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean);
}
