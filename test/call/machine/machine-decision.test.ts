import { describe, expect, it } from 'vitest';
import { decodeMulaw, encodeMulaw } from '../../../src/audio/g711.ts';
import { levelDbfs } from '../../../src/audio/level.ts';
import { BeepDetector } from '../../../src/call/machine/beep-detector.ts';
import { GREETING_END_MS, MACHINE_RULES, MachineDecision } from '../../../src/call/machine/machine-decision.ts';
import { randomFrom } from '../../support/seeded-random.ts';
import { tone } from '../../support/tones.ts';

const FRAME = 160;
const random = randomFrom(3);

const noise = (ms: number, level: number): Int16Array =>
  Int16Array.from({ length: ms * 8 }, () => Math.round((random() - 0.5) * 2 * level));
const quiet = (ms: number): Int16Array => noise(ms, 20);
/** Syllables of 150 ms with dips of 50 ms between them. */
const speech = (ms: number, level = 6000): Int16Array => {
  const samples = noise(ms, level);
  return samples.map((sample, i) => (i % 1600 > 1200 ? Math.round(sample / 5) : sample));
};
const beep = (hz: number, ms: number): Int16Array => tone(hz, ms * 8);
const joined = (...parts: Int16Array[]): Int16Array => Int16Array.from(parts.flatMap((part) => [...part]));

/** What a call hears of it, with the simplest voice activity there is. */
function hear(samples: Int16Array): { decision: MachineDecision; atMs: number } {
  const decision = new MachineDecision();
  let atMs = 0;
  let hangover = 0;
  for (let at = 0; at + FRAME <= samples.length; at += FRAME) {
    const frame = samples.subarray(at, at + FRAME);
    const levelDb = levelDbfs(frame);
    hangover = levelDb > -50 ? 6 : hangover - 1;
    decision.push({ samples: frame, levelDb, speaking: hangover > 0 });
    if (decision.decided && atMs === 0) atMs = (at + FRAME) / 8;
  }
  return { decision, atMs };
}

describe('who answered', () => {
  it.each<[string, Int16Array, string, number]>([
    ['a short word and a pause', joined(quiet(300), speech(450), quiet(4000)), 'human', 1500],
    ['two short words', joined(quiet(300), speech(300), quiet(350), speech(300), quiet(4000)), 'human', 2000],
    ['nothing at all', quiet(5000), 'unknown', MACHINE_RULES.silenceMs],
    ['somebody who talks and talks', joined(quiet(400), speech(5000)), 'machine', 3800],
    ['a long sentence and a pause', joined(quiet(300), speech(2900), quiet(3000)), 'machine', 4000],
    ['one that begins late', joined(quiet(1400), speech(4000)), 'machine', 4000],
    ['a word, then a beep', joined(quiet(200), speech(300), quiet(300), beep(1000, 400), quiet(2000)), 'machine', 1000],
    ['people behind a short word', joined(noise(300, 500), speech(450), noise(4000, 500)), 'human', 1600],
    ['steady noise', noise(5000, 3000), 'unknown', 4000],
  ])('%s', (_name, samples, who, withinMs) => {
    const { decision, atMs } = hear(samples);
    expect(decision.decided).toBe(who);
    expect(atMs).toBeLessThanOrEqual(withinMs);
    expect(atMs).toBeLessThanOrEqual(MACHINE_RULES.decideMs);
  });

  it('does not take the first moments of a noise for a word', () => {
    const decision = new MachineDecision();
    const line = joined(quiet(200), noise(2000, 3000));
    for (let at = 0; at + FRAME <= line.length; at += FRAME) {
      const samples = line.subarray(at, at + FRAME);
      decision.push({ samples, levelDb: levelDbfs(samples), speaking: at / 8 >= 200 && at / 8 < 500 });
    }
    expect(decision.decided).toBeUndefined();
  });

  it('hears a greeting end', () => {
    const { decision } = hear(joined(speech(6000), quiet(GREETING_END_MS + 100)));
    expect(decision.silenceMs).toBeGreaterThanOrEqual(GREETING_END_MS);
    const { decision: goesOn } = hear(joined(speech(3000), quiet(1000), speech(2000), quiet(300)));
    expect(goesOn.silenceMs).toBeLessThan(600);
  });
});

describe('a beep', () => {
  const stateAfter = (samples: Int16Array): string => {
    const detector = new BeepDetector();
    for (let at = 0; at + FRAME <= samples.length; at += FRAME) detector.push(samples.subarray(at, at + FRAME));
    return detector.state;
  };

  it.each([550, 620, 775, 800, 1000, 1024, 1400, 1633, 2000, 2225])(
    'of %i Hz is found in 200 ms, through mu-law',
    (hz) => {
      const line = (samples: Int16Array): Int16Array => decodeMulaw(encodeMulaw(samples));
      expect(stateAfter(line(joined(quiet(200), beep(hz, 200))))).toBe('sounding');
      expect(stateAfter(line(joined(quiet(200), beep(hz, 200), quiet(100))))).toBe('over');
    },
  );

  it.each<[string, Int16Array]>([
    ['silence', quiet(1000)],
    ['noise', noise(2000, 8000)],
    ['something like speech', speech(3000)],
    ['a click of 80 ms', joined(quiet(100), beep(1000, 80), quiet(500))],
    ['a tone of the network', beep(425, 1000)],
    ['a key', Int16Array.from(beep(770, 400), (sample, i) => sample / 2 + beep(1336, 400)[i]! / 2)],
    ['a siren', Int16Array.from({ length: 8000 }, (_, i) => Math.round(8000 * Math.sin(i * (0.5 + i / 8000))))],
  ])('is not %s', (_name, samples) => {
    expect(stateAfter(samples)).toBe('none');
  });
});
