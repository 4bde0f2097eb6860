import { describe, expect, it } from 'vitest';
import { SpeechOverload } from '../../../src/engines/stt/speech-overload.ts';

describe('SpeechOverload', () => {
  it.each([
    { name: 'few', stretches: [0, 31, 32], over: [false, false, false] },
    { name: 'more than there may be', stretches: [32, 33], over: [false, true] },
    {
      name: 'until half as many',
      stretches: [33, 32, 17, 16, 17, 32, 33],
      over: [true, true, true, false, false, false, true],
    },
  ])('$name', ({ stretches, over }) => {
    const overload = new SpeechOverload(32);
    expect(stretches.map((now) => overload.look(now))).toEqual(over);
  });
});
