import { describe, expect, it } from 'vitest';
import { HeardFrames } from '../../../src/engines/stt/heard-frames.ts';
import { CEPSTRA, type SphinxLibrary } from '../../../src/engines/stt/sphinx-library.ts';

const FRAME_SAMPLES = 80;

/** A front end that makes a frame of every 80 samples, which holds their number; its mean is taken away. */
function frontEnd() {
  const frames = new Float32Array(256 * CEPSTRA);
  let made = 0;
  const library: Partial<SphinxLibrary> = {
    frames,
    createFrontEnd: () => ({}),
    startFrontEnd: () => {
      made = 0;
    },
    framesOf: (_, samples) => {
      const count = samples.length / FRAME_SAMPLES;
      for (let at = 0; at < count * CEPSTRA; at += CEPSTRA) frames[at] = 1_000 + made++;
      return count;
    },
    lastFrameOf: () => 0,
  };
  const heard: number[][] = [];
  let again = 0;
  const hearer = {
    hear: (count: number) => void heard.push(Array.from({ length: count }, (_, at) => frames[at * CEPSTRA]!)),
    again: () => {
      again += 1;
    },
  };
  return { frames: new HeardFrames(library as SphinxLibrary, {}, hearer), heard, again: () => again };
}

const portions = (heard: readonly number[][]): number[] => heard.map(({ length }) => length);

describe('HeardFrames', () => {
  it.each([1, 7, 300])('hears everything once and little at once where it waits: %d frames at a time', (each) => {
    const { frames, heard, again } = frontEnd();
    frames.start(undefined, [150], true);
    for (let said = 0; said < 300; said += each) {
      frames.take(new Int16Array(Math.min(each, 300 - said) * FRAME_SAMPLES));
      if (said + each < 150) expect(heard).toEqual([]);
    }
    frames.finish();
    expect(portions(heard).reduce((sum, count) => sum + count, 0)).toBe(300);
    expect(Math.max(...portions(heard))).toBeLessThanOrEqual(6);
    expect(again()).toBe(0);
  });

  it('hears what is shorter than what it waits for at its end', () => {
    const { frames, heard } = frontEnd();
    frames.start(undefined, [150], true);
    frames.take(new Int16Array(90 * FRAME_SAMPLES));
    expect(heard).toEqual([]);
    frames.finish();
    expect(portions(heard).reduce((sum, count) => sum + count, 0)).toBe(90);
  });

  it('hears at once, and again from the beginning, where it does not wait', () => {
    const { frames, heard, again } = frontEnd();
    frames.start(undefined, [40, 100]);
    for (let said = 0; said < 120; said += 6) frames.take(new Int16Array(6 * FRAME_SAMPLES));
    frames.finish();
    expect(again()).toBe(2);
    expect(portions(heard).reduce((sum, count) => sum + count, 0)).toBe(36 + 42 + 54 + 102 + 18);
  });

  it('hears nothing again of whom it knows', () => {
    const { frames, heard, again } = frontEnd();
    frames.start({ values: new Array<number>(CEPSTRA).fill(0), frames: 50 }, [40, 100]);
    frames.take(new Int16Array(120 * FRAME_SAMPLES));
    expect([again(), portions(heard).reduce((sum, count) => sum + count, 0)]).toEqual([0, 120]);
  });
});
