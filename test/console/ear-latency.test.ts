import { describe, expect, it } from 'vitest';
import { EarLatency } from '../../src/console/audio/ear-latency.ts';

const PIECE_S = 0.02;
const NOISE = 0.001;
const VOICE = 0.1;

/** A microphone that hears a voice within the given stretches of time, and the noise of a room else. */
function listen(ear: EarLatency, untilS: number, voice: readonly (readonly [number, number])[], noise = NOISE): void {
  for (let piece = 1; piece * PIECE_S <= untilS + 1e-9; piece += 1) {
    const atS = piece * PIECE_S;
    const isVoice = voice.some(([from, to]) => atS > from && atS <= to + 1e-9);
    ear.piece(isVoice ? VOICE : noise * (piece % 3 === 0 ? 1.3 : 1), atS);
  }
}
const NEAR = { inputS: 0, outputS: 0 };

describe('what is waited at the ear', () => {
  it('is from the end of speech to the first sound of the answer', () => {
    const ear = new EarLatency(NEAR);
    listen(ear, 3, [[1, 2]]);
    ear.words();
    expect(ear.sounded(2.64)).toBe(640);
  });

  it('has the ways of sound in the device in it', () => {
    const ear = new EarLatency({ inputS: 0.01, outputS: 0.05 });
    listen(ear, 3, [[1, 2]]);
    ear.words();
    expect(ear.sounded(2.64)).toBe(700);
  });

  it.each([
    { name: 'a greeting, before anybody spoke', voice: [], words: false },
    { name: 'a click, and nobody was understood', voice: [[1, 1.04]], words: false },
    { name: 'words of before, and no voice since', voice: [], words: true },
    { name: 'a click that was taken for a word', voice: [[1, 1.04]], words: true },
  ] as const)('is nothing for $name', ({ voice, words }) => {
    const ear = new EarLatency(NEAR);
    listen(ear, 3, voice);
    if (words) ear.words();
    expect(ear.sounded(3)).toBeUndefined();
  });

  it('is told once: sentences that follow were not waited for', () => {
    const ear = new EarLatency(NEAR);
    listen(ear, 3, [[1, 2]]);
    ear.words();
    expect(ear.sounded(2.5)).toBe(500);
    expect(ear.sounded(4.5)).toBeUndefined();
    for (let atS = 5; atS < 6; atS += PIECE_S) ear.piece(VOICE, atS); // a cough, or somebody else
    expect(ear.sounded(6.5)).toBeUndefined();
  });

  it('is from the speech that was answered, not from what somebody is beginning to say', () => {
    const ear = new EarLatency(NEAR);
    listen(ear, 4, [
      [1, 2],
      [3.5, 4],
    ]);
    ear.words();
    expect(ear.sounded(4)).toBe(2_000);
  });

  it('counts a pause within a sentence as part of it', () => {
    const ear = new EarLatency(NEAR);
    listen(ear, 3, [
      [1, 1.5],
      [1.7, 2.2],
    ]);
    ear.words();
    expect(ear.sounded(2.8)).toBe(600);
  });

  it('hears a voice over the noise of a loud room', () => {
    const ear = new EarLatency(NEAR);
    listen(ear, 8, [[5, 6]], 0.015);
    ear.words();
    expect(ear.sounded(6.5)).toBe(500);
  });
});
