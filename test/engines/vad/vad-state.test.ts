import { describe, expect, it } from 'vitest';
import {
  nextVadState,
  VAD_TRANSITIONS,
  type VadEvent,
  VadMachine,
  type VadState,
} from '../../../src/engines/vad/vad-state.ts';

const STATES = ['quiet', 'starting', 'speaking', 'stopping'] as const;
const EVENTS = ['voiced', 'silent', 'open', 'close', 'reset'] as const;

/** Every state with every event; a dash is "stays as it is". */
const EXPECTED: Record<VadState, readonly (VadState | '-')[]> = {
  //          voiced      silent      open        close    reset
  quiet: ['starting', '-', '-', '-', 'quiet'],
  starting: ['-', 'quiet', 'speaking', '-', 'quiet'],
  speaking: ['-', 'stopping', '-', '-', 'quiet'],
  stopping: ['speaking', '-', '-', 'quiet', 'quiet'],
};

describe('VAD transitions', () => {
  it('names exactly the four states', () => {
    expect(Object.keys(VAD_TRANSITIONS).sort()).toEqual([...STATES].sort());
  });
  it.each(STATES.flatMap((state) => EVENTS.map((event, i) => ({ state, event, to: EXPECTED[state][i] }))))(
    '$state + $event -> $to',
    ({ state, event, to }) => {
      expect(nextVadState(state, event as VadEvent)).toBe(to === '-' ? state : to);
    },
  );
});

/** One letter a frame: V voiced, . silent. Changes as `start@frame` where the frame is that of the onset or of the end. */
function changes(startFrames: number, hangoverFrames: number, frames: string): string[] {
  const machine = new VadMachine(startFrames, hangoverFrames);
  return [...frames].flatMap((letter, i) => {
    const change = machine.step(letter === 'V', i * 160, (i + 1) * 160);
    return change ? [`${change.type}@${change.atSample / 160} seen ${i}`] : [];
  });
}

describe('VadMachine', () => {
  it.each([
    { name: 'nothing', start: 3, hang: 3, frames: '......', seen: [] },
    { name: 'a click', start: 3, hang: 3, frames: '.V..', seen: [] },
    { name: 'one frame short', start: 3, hang: 3, frames: '.VV..VV.', seen: [] },
    {
      name: 'opens on the third frame, dated to the first',
      start: 3,
      hang: 3,
      frames: '..VVV',
      seen: ['start@2 seen 4'],
    },
    { name: 'opens at once when told to', start: 1, hang: 1, frames: '.V.', seen: ['start@1 seen 1', 'end@2 seen 2'] },
    { name: 'a gap breaks a short run', start: 4, hang: 3, frames: 'VVV.VVV.', seen: [] },
    { name: 'a pause under the hang-over', start: 2, hang: 3, frames: 'VV..V..V', seen: ['start@0 seen 1'] },
    {
      name: 'the end is dated to the last voiced frame',
      start: 2,
      hang: 3,
      frames: 'VVV...',
      seen: ['start@0 seen 1', 'end@3 seen 5'],
    },
    { name: 'a long opening run forgives one gap', start: 8, hang: 3, frames: 'VVVV.VVVV', seen: ['start@0 seen 8'] },
    { name: 'but not two', start: 8, hang: 3, frames: 'VVVV.VV.VVV', seen: [] },
    {
      name: 'two stretches',
      start: 2,
      hang: 2,
      frames: 'VV..VV..',
      seen: ['start@0 seen 1', 'end@2 seen 3', 'start@4 seen 5', 'end@6 seen 7'],
    },
  ])('$name', ({ start, hang, frames, seen }) => {
    expect(changes(start, hang, frames)).toEqual(seen);
  });

  it('forgets a half-open run at reset', () => {
    const machine = new VadMachine(3, 3);
    machine.step(true, 0, 160);
    machine.step(true, 160, 320);
    machine.reset();
    expect(machine.step(true, 320, 480)).toBeUndefined();
    expect(machine.state).toBe('starting');
  });
});
