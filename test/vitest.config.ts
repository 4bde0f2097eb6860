import { defineConfig } from 'vitest/config';

const root = new URL('..', import.meta.url).pathname;
const common = { root, testTimeout: 180_000, hookTimeout: 180_000 };

/** Tables, parsers, state machines: no socket, no process, no native library. They share a process and what it has loaded. */
const PURE = [
  ...['core', 'config', 'engines/text', 'sip-server/message', 'sip-server/dialog', 'sip-server/transaction'].map(
    (folder) => `test/${folder}/**/*.test.ts`,
  ),
  'test/engines/reply/slots/*.test.ts',
  'test/engines/reply/{intent-matcher,fold,dialogues,dialogue-walk}.test.ts',
  'test/media/{jitter-buffer,dtmf,latching,rtp-packet,rtcp,pcm-ring,playout,concealment}.test.ts',
  'test/audio/*.test.ts',
  'test/sip/{digest,offers,offer-answer,requests,status}.test.ts',
  'test/support/*.test.ts',
];
/** Whole calls in real time run after the rest, three at a time, for they mostly wait; those that load the machine run alone, last. */
const CALLS = ['test/scenarios/**/*.test.ts', 'test/cli/call.test.ts'];
const ALONE = ['test/scenarios/{load,descriptors}.test.ts'];
const NEVER = '**/node_modules/**';

export default defineConfig({
  test: {
    root,
    globalSetup: ['test/support/build-once.ts', 'test/support/shared-postgres.ts'],
    projects: [
      {
        test: {
          ...{ ...common, name: 'pure', include: PURE, exclude: [NEVER], isolate: false, maxWorkers: 3 },
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...{ ...common, name: 'parts', include: ['test/**/*.test.ts'], exclude: [...PURE, ...CALLS, NEVER] },
          maxWorkers: 3, // on two cores: many of them wait for a socket, a process or a timer
          sequence: { groupOrder: 0 },
        },
      },
      // A second try is for these alone, and `./scripts/check` prints each that was needed.
      {
        test: {
          ...{ ...common, name: 'calls', include: CALLS, exclude: [...ALONE, NEVER] },
          ...{ retry: 1, maxWorkers: 3 },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...{ ...common, name: 'alone', include: ALONE, exclude: [NEVER] },
          ...{ retry: 1, maxWorkers: 1 },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
