import { defineConfig } from 'vitest/config';
import builtSources from './support/built-sources.ts';
import LongestFirst, { BUSY_SCENARIOS } from './support/longest-first.ts';
import { MARK_FILES } from './support/mark-rows.ts';
import { LONG } from './support/property-runs.ts';
import { leftOut } from './support/tiers.ts';

const root = new URL('..', import.meta.url).pathname;
/**
 * Most code runs a few times: to optimize it takes V8 longer than it ever runs. Newer ones than that of Node 20 do not know the flag. And what
 * files load stays: with the least room for young objects, to copy it from one to the next is a seventh of all that a worker does.
 */
const RUNS_ONCE = [
  ...(Number.parseInt(process.versions.v8, 10) <= 11 ? ['--interrupt-budget=540000'] : []),
  '--min-semi-space-size=16',
];
/** What is waited for comes late on a machine that does much else. */
const common = {
  ...{ root, testTimeout: LONG ? 1_800_000 : 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 20_000 } } },
  execArgv: RUNS_ONCE,
  chaiConfig: { truncateThreshold: 400 }, // what needed a second try is known by the message alone
  server: { deps: { external: [/\/dist\//] } },
  // `scripts/bench/suite-cost.mjs` asks what each file takes.
  setupFiles: process.env['NIDAA_TEST_COSTS'] ? ['test/support/cost-of-file.ts'] : [],
};
const plugins = [builtSources()];

/** Whole calls in real time run after the rest, for they mostly wait; the one that loads the machine runs alone, last. */
const CALLS = [`test/scenarios/!(${BUSY_SCENARIOS.join('|')}).test.ts`, 'test/cli/call.test.ts'];
const ALONE = ['test/scenarios/load.test.ts'];
/** Minutes of attacks and faults: `npm run test:hostile`, with those of the rest that prove one of its marks. */
const HOSTILE = ['test/hostile/**/*.test.ts'];
/** Programs that a gateway runs with in earnest, and minutes of their faults: `npm run test:nodes`. */
const NODES = ['test/nodes/**/*.test.ts'];
const IS_HOSTILE = process.env['NIDAA_TEST_HOSTILE'] === '1';
/** And what only long runs have: `test/long-files.json`. */
const NEVER = ['**/node_modules/**', ...leftOut(process.argv.slice(2))];
/** At a time on two cores. With five, calls beside other programs are heard too late; of the rest many wait, for a timer or another process. */
const WORKERS = 4;
const WORKERS_WITHOUT_CALLS = 6;

export default defineConfig({
  test: {
    root,
    globalSetup: ['build-once', 'shared-postgres', 'shared-gateway'].map((name) => `test/support/${name}.ts`),
    sequence: { sequencer: LongestFirst },
    projects: IS_HOSTILE
      ? [{ plugins, test: { ...{ ...common, name: 'hostile', include: [...MARK_FILES] }, fileParallelism: false } }]
      : [
          {
            plugins,
            test: {
              ...{
                ...common,
                name: 'parts',
                include: ['test/**/*.test.ts'],
                exclude: [...CALLS, ...HOSTILE, ...NODES, ...NEVER],
              },
              // What a file leaves behind in the process is a fault of what it tests, or of the test. One project for all: a process ends
              // with the last file of its project in a row, and to load everything anew takes it three seconds of a processor.
              isolate: false,
              maxWorkers: WORKERS_WITHOUT_CALLS,
              sequence: { groupOrder: 0 },
            },
          },
          // They share a process too: a new one takes a second to load everything.
          {
            plugins,
            test: {
              ...{
                ...common,
                name: 'calls',
                include: CALLS,
                exclude: [...ALONE, ...NEVER],
                isolate: false,
              },
              ...{ maxWorkers: WORKERS, maxConcurrency: 3 },
              sequence: { groupOrder: 1 },
            },
          },
          {
            plugins,
            test: {
              ...{ ...common, name: 'alone', include: ALONE, exclude: NEVER },
              maxWorkers: 1,
              sequence: { groupOrder: 2 },
            },
          },
        ],
  },
});
