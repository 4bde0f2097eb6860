import { describe, expect, it } from 'vitest';
import type { OnMachine } from '../../src/call/opening.ts';
import { Opening, type OpeningEnd } from '../../src/call/opening.ts';
import { SPEECH_LEVEL } from '../support/conversation-rig.ts';
import { LoudnessVad } from '../support/level-vad.ts';

/** Whoever answers, 20 ms a tick: `null` is a line on which nothing comes. */
function answered(
  parts: readonly (readonly [ms: number, level: number | null])[],
  onMachine: OnMachine,
  speakAfterMs = 1000,
) {
  const frames = parts.flatMap(([ms, level]) => Array.from({ length: ms / 20 }, () => level));
  let next = 0;
  let pending: number | null = null;
  const port = {
    read: (into: Int16Array): number => {
      const level = pending;
      pending = null;
      if (level === null) return 0;
      into.fill(level);
      return into.length;
    },
  };
  const opening = new Opening(port, new LoudnessVad(), { speakAfterMs, onMachine }, 5000);
  let end: OpeningEnd | undefined;
  for (; next < frames.length && end === undefined; next += 1) {
    pending = frames[next] ?? null;
    end = opening.tick(5000 + (next + 1) * 20);
  }
  return { end, atMs: next * 20, who: opening.answeredBy };
}

const SAYS = SPEECH_LEVEL;
describe('the agent speaks first', () => {
  it.each<[string, Parameters<typeof answered>[0], number, number]>([
    ['after a second of silence', [[5000, 0]], 1000, 1020],
    ['after a second without any audio', [[5000, null]], 1000, 1020],
    [
      'when the callee has said something',
      [
        [200, 0],
        [400, SAYS],
        [2000, 0],
      ],
      600,
      900,
    ],
    [
      'not over one who began late',
      [
        [900, 0],
        [800, SAYS],
        [2000, 0],
      ],
      1700,
      2000,
    ],
    [
      'after all where they do not stop',
      [
        [200, 0],
        [9000, SAYS],
      ],
      5000,
      5020,
    ],
  ])('%s', (_name, parts, fromMs, toMs) => {
    const { end, atMs, who } = answered(parts, 'undetected');
    expect([end, who]).toEqual(['talk', undefined]);
    expect(atMs).toBeGreaterThanOrEqual(fromMs);
    expect(atMs).toBeLessThanOrEqual(toMs);
  });
});

describe('a machine', () => {
  const MACHINE: Parameters<typeof answered>[0] = [
    [200, 0],
    [6000, SAYS],
    [4000, 0],
  ];
  it.each<[OnMachine, OpeningEnd, number, number]>([
    ['hangup', 'hangup', 3000, 4000],
    ['ignore', 'talk', 3000, 4000],
    ['leave-message', 'message', 6200 + 1700, 6200 + 2200],
  ])('%s', (onMachine, end, fromMs, toMs) => {
    const heard = answered(MACHINE, onMachine);
    expect([heard.end, heard.who]).toEqual([end, 'machine']);
    expect(heard.atMs).toBeGreaterThanOrEqual(fromMs);
    expect(heard.atMs).toBeLessThanOrEqual(toMs);
  });

  it('is not taken for one who says a word, nor for one who says nothing', () => {
    expect(
      answered(
        [
          [200, 0],
          [400, SAYS],
          [4000, 0],
        ],
        'hangup',
      ),
    ).toMatchObject({ end: 'talk', who: 'human' });
    expect(answered([[6000, 0]], 'hangup')).toMatchObject({ end: 'talk', who: 'unknown' });
    const silent = answered([[6000, null]], 'hangup');
    expect(silent).toMatchObject({ end: 'talk', who: 'unknown' });
    expect(silent.atMs).toBeLessThanOrEqual(4600);
  });

  it('whose greeting never ends is talked to after a minute', () => {
    const { end, atMs } = answered(
      [
        [200, 0],
        [80_000, SAYS],
      ],
      'leave-message',
    );
    expect([end, atMs]).toEqual(['message', 60_000]);
  });
});
