import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './gateway.ts';

const MIGRATIONS = 'src/store/migrations';
const MEGABYTES = 1024 * 1024;

/** The project as it was before the newest step of the tables. */
export interface OlderBuild {
  readonly commit: string;
  readonly root: string;
  /** How many steps of the tables it knows. */
  readonly steps: number;
}

const git = (...args: readonly string[]): string => {
  const { status, stdout } = spawnSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
};

/** The commit before the one that brought the newest step; undefined where this is no repository, or one without its history. */
export function olderCommit(): string | undefined {
  const newest = git('log', '-1', '--diff-filter=A', '--format=%H', '--', `${MIGRATIONS}/*.sql`);
  return (newest && git('rev-parse', '--verify', '--quiet', `${newest}^`)) || undefined;
}

/** In a folder of its own, with the packages of this one. @throws what it could not be built with. */
export function olderBuild(commit: string): OlderBuild {
  const root = mkdtempSync(join(tmpdir(), 'nidaa-older-'));
  try {
    const { stdout: archive } = spawnSync('git', ['-C', ROOT, 'archive', commit], { maxBuffer: 500 * MEGABYTES });
    ran(spawnSync('tar', ['-x', '-C', root], { input: archive }));
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    ran(spawnSync('npm', ['run', '--silent', 'build:gateway'], { cwd: root }));
    return { commit, root, steps: readdirSync(join(root, MIGRATIONS)).filter((name) => name.endsWith('.sql')).length };
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
}

function ran({ status, stdout, stderr }: ReturnType<typeof spawnSync>): void {
  if (status !== 0) throw new Error(`${String(stdout)}\n${String(stderr)}`);
}
