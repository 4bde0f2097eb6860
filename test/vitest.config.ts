import { defineConfig } from 'vitest/config';
import builtSources from './support/built-sources.ts';
import LongestFirst from './support/longest-first.ts';

const root = new URL('..', import.meta.url).pathname;
/** What is waited for comes late on a machine that does much else. */
const common = {
  ...{ root, testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 20_000 } } },
  server: { deps: { external: [/\/dist\//] } },
};
const plugins = [builtSources()];

/** Whole calls in real time run after the rest, for they mostly wait; the one that loads the machine runs alone, last. */
const CALLS = ['test/scenarios/**/*.test.ts', 'test/cli/call.test.ts'];
const ALONE = ['test/scenarios/load.test.ts'];
/** What needs nothing but a processor runs beside the calls, which leave one free half of the time, and behind them. */
const SUMS = [
  ...['test/engines/reply/**/*.test.ts', 'test/engines/text/**/*.test.ts'],
  ...['test/engines/document/answers.test.ts', 'test/engines/document/hostile-files.test.ts'],
];
const NEVER = '**/node_modules/**';
/** At a time on two cores: with five, calls beside other programs are heard too late. */
const BESIDE_CALLS = 4;

export default defineConfig({
  test: {
    root,
    globalSetup: ['build-once', 'shared-postgres', 'shared-gateway'].map((name) => `test/support/${name}.ts`),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins,
        test: {
          ...{ ...common, name: 'parts', include: ['test/**/*.test.ts'], exclude: [...CALLS, ...SUMS, NEVER] },
          isolate: false, // What a file leaves behind in the process is a fault of what it tests, or of the test.
          maxWorkers: 4, // on two cores: many of them wait for a socket, a process or a timer
          sequence: { groupOrder: 0 },
        },
      },
      // They share a process too: a new one takes a second to load everything.
      // A second try is for these alone, and `./scripts/check` prints each that was needed.
      {
        plugins,
        test: {
          ...{ ...common, name: 'calls', include: CALLS, exclude: [...ALONE, NEVER], isolate: false },
          ...{ retry: 1, maxWorkers: BESIDE_CALLS },
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins,
        test: {
          ...{ ...common, name: 'sums', include: SUMS, exclude: [NEVER], isolate: false },
          ...{ setupFiles: 'test/support/go-behind.ts', maxWorkers: BESIDE_CALLS },
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins,
        test: {
          ...{ ...common, name: 'alone', include: ALONE, exclude: [NEVER] },
          ...{ retry: 1, maxWorkers: 1 },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
