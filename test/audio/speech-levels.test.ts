import { describe, expect, it } from 'vitest';
import { levelDbfs } from '../../src/audio/level.ts';
import { SpeechLevels } from '../../src/audio/speech-levels.ts';
import { framesOf, readClip } from '../support/speech-clips.ts';

const READ = [
  'read/lv_0890.wav',
  'read/lv_0930.wav',
  'read/LJ006-0161.wav',
  'read/LJ011-0202.wav',
  'read/LJ042-0094.wav',
];
const listening = (levelsDb: readonly number[]): SpeechLevels => {
  const levels = new SpeechLevels();
  for (const levelDb of levelsDb) levels.push(levelDb);
  return levels;
};
const repeated = (levelsDb: readonly number[], count: number): number[] =>
  Array.from({ length: count }, () => levelsDb).flat();

describe('the levels of the last second', () => {
  it.each([
    { name: 'of nothing are none', levelsDb: [], loudDb: Number.NEGATIVE_INFINITY, spreadDb: 0 },
    { name: 'that was taken away say nothing', levelsDb: [-20, -96, -96, -20], loudDb: -20, spreadDb: 0 },
    {
      name: 'are as loud as their louder half',
      levelsDb: repeated([-20, -40], 20),
      loudDb: -20,
    },
    {
      name: 'are as loud where the voice just began, or has ended',
      levelsDb: [...repeated([-60], 20), ...repeated([-20, -40], 6), ...repeated([-58], 10)],
      loudDb: -20,
    },
    { name: 'go down to the noise of a line', levelsDb: [-20, -80], spreadDb: 21 },
    {
      name: 'forget what was before',
      levelsDb: [...repeated([-10, -50], 9), ...repeated([-30], 45)],
      loudDb: -30,
      spreadDb: 0,
    },
  ])('$name', ({ levelsDb, loudDb, spreadDb }) => {
    const levels = listening(levelsDb);
    if (loudDb !== undefined) expect(Math.round(levels.loudDb())).toBe(loudDb);
    if (spreadDb !== undefined) expect(levels.spreadDb()).toBeCloseTo(spreadDb, 1);
  });

  it('are told of the last frames alone, where that is asked', () => {
    const levels = listening([...repeated([-10], 30), ...repeated([-40], 10)]);
    expect(Math.round(levels.loudDb(10))).toBe(-40);
    expect(levels.spreadDb(10)).toBe(0);
  });

  it('tell one voice from many at once', () => {
    const clips = READ.map((file) => readClip(file)).map((clip) => clip.subarray(2400, clip.length - 2400));
    const gains = clips.map((clip) => 10 ** ((-25 - levelDbfs(clip)) / 20)); // everybody as loud
    const many = Int16Array.from({ length: 8000 * 10 }, (_, i) =>
      clips.reduce((sum, clip, who) => sum + gains[who]! * clip[(i + who * 3000) % clip.length]!, 0),
    );
    const spreads = (samples: Int16Array): number[] => {
      const levels = new SpeechLevels();
      return framesOf(samples).flatMap((frame, i) => {
        levels.push(levelDbfs(frame.samples));
        return i >= 45 && i % 5 === 0 ? [levels.spreadDb(42)] : [];
      });
    };
    const share = (all: number[]): number => all.filter((spreadDb) => spreadDb > 6.5).length / all.length;
    expect(share(spreads(many))).toBeLessThan(0.15);
    for (const clip of clips) expect(share(spreads(clip))).toBeGreaterThan(0.85);
  });
});
