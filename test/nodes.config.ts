import { defineConfig } from 'vitest/config';
import builtSources from './support/built-sources.ts';

const root = new URL('..', import.meta.url).pathname;

/** Gateways among the programs that they run with in earnest, and minutes of faults: `npm run test:nodes`. */
export default defineConfig({
  plugins: [builtSources()],
  test: {
    ...{ root, name: 'nodes', include: ['test/nodes/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 180_000 },
    ...{
      fileParallelism: false,
      bail: 0,
      globalSetup: ['build-once', 'shared-postgres'].map((name) => `test/support/${name}.ts`),
    },
    server: { deps: { external: [/\/dist\//] } },
  },
});
