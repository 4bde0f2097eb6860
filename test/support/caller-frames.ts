import type { SpeechInput } from '../../src/call/speech-input.ts';
import type { FakeClock } from './fake-clock.ts';
import type { FakeMediaPort } from './fake-media-port.ts';

/** `LevelVad` opens at the second loud frame in a row. Quiet frames are numbered from 1, loud ones from here: a frame's level is its name. */
export const LOUD = 2000;

/** A caller, frame by frame: one a tick, as it comes from the wire. */
export function callerFrames(clock: FakeClock, port: FakeMediaPort, input: SpeechInput) {
  let quiet = 0;
  let loud = LOUD;
  const frames = (level: () => number, count: number): void => {
    for (let i = 0; i < count; i += 1) {
      clock.advance(20);
      port.hear(20, level());
      input.tick();
    }
  };
  return {
    silence: (count: number): void => frames(() => ++quiet, count),
    speech: (count: number): void => frames(() => ++loud, count),
  };
}

/** `from`, `from + 1` ... `to`. */
export const run = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
