import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Worker threads and whole-gateway tests run the build, so it must be that of the sources under test. A type error does
 * not stop it (the build is written all the same): `./scripts/check` has its own step for types.
 */
export default function buildOnce(): void {
  if (process.env['NIDAA_BUILD_DONE'] === '1') return; // `./scripts/check` has just built
  const root = fileURLToPath(new URL('../..', import.meta.url));
  // The console takes as long as the rest: `npm run mutate` says so where nothing of it changed.
  const build = process.env['NIDAA_BUILD'] === 'gateway' ? 'build:gateway' : 'build';
  spawnSync('npm', ['run', '--silent', build], { cwd: root, stdio: 'inherit' });
}
