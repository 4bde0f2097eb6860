import { defineConfig } from 'vitest/config';
import builtSources from './support/built-sources.ts';

const root = new URL('..', import.meta.url).pathname;
/** Trials of several gateways, or of what they share, that other runs have too or leave to a long one: all of each is run. */
const OTHERS = ['scenarios/nodes', 'scenarios/recordings-home', 'scenarios/backup-restore', 'jobs/redis-lost'];
const include = ['test/nodes/**/*.test.ts', ...OTHERS.map((name) => `test/${name}.test.ts`)];

/** Gateways among the programs that they run with in earnest, and minutes of faults: `npm run test:nodes`. */
export default defineConfig({
  plugins: [builtSources()],
  test: {
    ...{ root, name: 'nodes', include, testTimeout: 300_000, hookTimeout: 180_000 },
    ...{
      fileParallelism: false,
      bail: 0,
      globalSetup: ['build-once', 'debian-postgres'].map((name) => `test/support/${name}.ts`),
    },
    env: { NIDAA_TEST_POSTGRES: 'debian', NIDAA_TEST_EVERY: '1' },
    server: { deps: { external: [/\/dist\//] } },
  },
});
