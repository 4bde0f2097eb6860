import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { releaseLock, takeLock } from '../../src/store/postmaster-pid.ts';

const folder = mkdtempSync(join(tmpdir(), 'nidaa-lock-'));
const lockFile = join(folder, 'gateway.lock');
const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
  rmSync(folder, { recursive: true, force: true });
});

const fieldsOf = (pid: number): readonly string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** A child of a process that never asks what became of it: the shell that started it has become another program, which is waited for. */
async function orphan(): Promise<number> {
  const script = 'sleep 600 & echo $!; exec sleep 600';
  const parent = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  ends.push(() => parent.kill('SIGKILL'));
  const pid = await new Promise<number>((resolve) => {
    parent.stdout!.once('data', (text: Buffer) => resolve(Number(text)));
  });
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim(), { timeout: 30_000 }).toBe('sleep');
  return pid;
}

describe.runIf(process.platform === 'linux')('the lock of a data folder', () => {
  it('is held by a process that lives, and by none that has ended, asked about or not', async () => {
    const pid = await orphan();
    writeFileSync(lockFile, `${pid} ${fieldsOf(pid)[19]}\n`);
    expect(takeLock(lockFile)).toBe(pid);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => fieldsOf(pid)[0], { timeout: 30_000 }).toBe('Z');
    expect(takeLock(lockFile)).toBeUndefined();
    releaseLock(lockFile);
  });
});
