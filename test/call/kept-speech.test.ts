import { describe, expect, it } from 'vitest';
import { FRAME_SAMPLES } from '../../src/audio/pcm.ts';
import { KeptSpeech, PreRoll } from '../../src/call/kept-speech.ts';

const frame = (level: number): Int16Array => new Int16Array(FRAME_SAMPLES).fill(level);
const levels = (frames: Iterable<Int16Array>): number[] => [...frames].map((samples) => samples[0] ?? 0);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('KeptSpeech', () => {
  it.each([0, 1, 49, 50, 51, 120])('gives %i frames back in order', (count) => {
    const kept = new KeptSpeech(1000);
    for (const level of upTo(count)) kept.push(frame(level));
    expect([levels(kept.from(0)), kept.frames]).toEqual([upTo(count), count]);
    expect([...kept.from(0)].every(({ length }) => length === FRAME_SAMPLES)).toBe(true);
  });

  it('copies, so that the same frame can be filled again', () => {
    const kept = new KeptSpeech(1000);
    const one = frame(1);
    for (const level of upTo(3)) kept.push(one.fill(level));
    expect(levels(kept.from(0))).toEqual([0, 1, 2]);
    expect([levels(kept.from(2)), levels(kept.from(3))]).toEqual([[2], []]);
  });

  it('keeps the first of what is too much, and says that it is full', () => {
    const kept = new KeptSpeech(60);
    const full = upTo(70).map((level) => {
      kept.push(frame(level));
      return kept.full;
    });
    expect([full.indexOf(true), levels(kept.from(0))]).toEqual([59, upTo(60)]);
  });

  it('is a few arrays with as many bytes as its samples', () => {
    const kept = new KeptSpeech(1000);
    for (const level of upTo(1000)) kept.push(frame(level));
    const arrays = new Set([...kept.from(0)].map(({ buffer }) => buffer));
    const bytes = [...arrays].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect([arrays.size <= 20, bytes]).toEqual([true, 1000 * FRAME_SAMPLES * 2]);
  });

  it('is empty after it was cleared', () => {
    const kept = new KeptSpeech(1000);
    for (const level of upTo(60)) kept.push(frame(level));
    kept.clear();
    kept.push(frame(7));
    expect(levels(kept.from(0))).toEqual([7]);
  });
});

describe('PreRoll', () => {
  it.each([0, 1, 14, 15, 16, 40])('gives the last of %i frames, the oldest first', (count) => {
    const preRoll = new PreRoll(15);
    const one = frame(0);
    for (const level of upTo(count)) preRoll.push(one.fill(level));
    expect(levels(preRoll)).toEqual(upTo(count).slice(-15));
  });

  it('is empty after it was cleared', () => {
    const preRoll = new PreRoll(15);
    for (const level of upTo(40)) preRoll.push(frame(level));
    preRoll.clear();
    expect(levels(preRoll)).toEqual([]);
    preRoll.push(frame(3));
    expect(levels(preRoll)).toEqual([3]);
  });
});
