import { defineConfig } from 'vitest/config';

const root = new URL('..', import.meta.url).pathname;
/** Real sockets and phones on a busy machine get a second try, which the report shows as `retry x1`. */
const common = { root, testTimeout: 45_000, hookTimeout: 90_000, retry: 1 };

/** Whole calls in real time want the machine for themselves: they run after the rest, one file at a time. */
export default defineConfig({
  test: {
    root,
    globalSetup: ['test/support/build-once.ts', 'test/support/shared-postgres.ts'],
    projects: [
      {
        test: {
          ...common,
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: ['test/scenarios/**', '**/node_modules/**'],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'calls',
          include: ['test/scenarios/**/*.test.ts'],
          testTimeout: 90_000,
          fileParallelism: false,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
