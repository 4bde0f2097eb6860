import { describe, expect, it } from 'vitest';
import { STRETCH_SAMPLES_MAX } from '../../../src/engines/stt/stretch-audio.ts';
import { StretchRota } from '../../../src/engines/stt/stretch-rota.ts';

/** A piece whose samples are its name. */
const piece = (n: number, samples = 480): Int16Array => new Int16Array(samples).fill(n);

/** Stretches by id, each with its pieces; those in `over` are over. */
function rota(pieces: Readonly<Record<number, readonly number[]>>, over: readonly number[] = []) {
  const of = new StretchRota<{ readonly id: number }>();
  for (const [id, numbers] of Object.entries(pieces)) {
    of.begin({ id: Number(id) });
    for (const n of numbers) of.push(Number(id), piece(n));
  }
  for (const id of over) of.finish(id);
  return of;
}
/** What is done, in order: `1:10` is piece 10 of stretch 1, `1.` its end. */
function done(of: StretchRota<{ readonly id: number }>, canHear = (_: { id: number }, _isOver: boolean) => true) {
  const steps: string[] = [];
  for (let step = of.next(canHear); step; step = of.next(canHear))
    steps.push(step.piece ? `${step.stretch.id}:${step.piece[0]}` : `${step.stretch.id}.`);
  return steps.join(' ');
}

describe('StretchRota', () => {
  it.each([
    { name: 'nobody', of: rota({}), order: '' },
    { name: 'one piece after the other', of: rota({ 1: [10, 11] }), order: '1:10 1:11' },
    { name: 'several in turn', of: rota({ 1: [10, 11, 12], 2: [20] }), order: '1:10 2:20 1:11 1:12' },
    { name: 'who is over comes first', of: rota({ 1: [10], 2: [20, 21] }, [2]), order: '2:20 2:21 2. 1:10' },
    { name: 'of those who has least left', of: rota({ 1: [10, 11], 2: [20] }, [1, 2]), order: '2:20 2. 1:10 1:11 1.' },
    { name: 'nothing was said', of: rota({ 1: [] }, [1]), order: '1.' },
  ])('$name', ({ of, order }) => {
    expect(done(of)).toBe(order);
    expect(done(of)).toBe('');
  });

  it('lets a stretch wait for its decoder, at its end too, and hears the others', () => {
    const of = rota({ 1: [10], 2: [20], 3: [30] }, [2]);
    expect(done(of, ({ id }, isOver) => id === 3 && !isOver)).toBe('3:30');
    expect(done(of, (_, isOver) => isOver)).toBe('2:20 2.');
    expect(done(of)).toBe('1:10');
  });

  it('forgets a stretch that is dropped, and what comes of it afterwards', () => {
    const of = rota({ 1: [10], 2: [20] });
    expect([of.drop(1)?.id, of.drop(1), of.push(1, piece(11)), of.size]).toEqual([1, undefined, undefined, 1]);
    of.finish(1);
    expect(done(of)).toBe('2:20');
  });

  it('keeps the last minute of what nobody has heard', () => {
    const of = rota({ 1: [] });
    for (let n = 1; n <= 3; n += 1) of.push(1, piece(n, STRETCH_SAMPLES_MAX / 2));
    expect(done(of)).toBe('1:2 1:3');
  });
});
