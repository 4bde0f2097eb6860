import { describe, expect, it } from 'vitest';
import { LAG_MS_MAX, PlayedPosition } from '../../src/streams/played-position.ts';

/** Sends `frames` of 20 ms from `fromMs` on. @returns the marks that go with them, in order. */
function send(position: PlayedPosition, frames: number, fromMs = 0): { name: string; atMs: number }[] {
  const marks: { name: string; atMs: number }[] = [];
  for (let n = 1; n <= frames; n += 1) {
    const atMs = fromMs + n * 20;
    const name = position.frameSent(160, atMs, n === frames);
    if (name !== undefined) marks.push({ name, atMs });
  }
  return marks;
}

describe('PlayedPosition', () => {
  it('goes by time alone where no mark comes back', () => {
    const position = new PlayedPosition();
    send(position, 10);
    expect([position.playedAt(100), position.playedAt(200), position.playedAt(150)]).toEqual([800, 1600, 1600]);
  });

  it('marks the first frame, every fifth of a second and the last', () => {
    expect(send(new PlayedPosition(), 15).map(({ atMs }) => atMs)).toEqual([20, 220, 300]);
  });

  it('is as late as the last mark was', () => {
    const position = new PlayedPosition();
    const marks = send(position, 50);
    position.marked(marks[0]!.name, 20 + 300);
    expect([position.lagMs, position.playedAt(500)]).toEqual([300, 1600]);
    position.marked(marks.at(-1)!.name, 1000 + 300);
    expect(position.playedAt(1300)).toBe(8000);
  });

  it('asks for marks no more where none comes back for long', () => {
    const position = new PlayedPosition();
    const marks = send(position, 600);
    expect(marks.length).toBeLessThanOrEqual(20);
    expect(marks.at(-1)!.atMs).toBeLessThanOrEqual(5_000);
    expect(position.playedAt(12_000)).toBe(600 * 160);
  });

  it('waits for a mark that is overdue, and no longer than a far end can be late', () => {
    const position = new PlayedPosition();
    const [first] = send(position, 20);
    position.marked(first!.name, 20);
    expect(position.playedAt(1000)).toBe(10 * 160); // the second has not come back
    expect(position.playedAt(400 + LAG_MS_MAX)).toBe(3200);
  });

  it('forgets what was cleared, and its marks with it', () => {
    const position = new PlayedPosition();
    const [first, second] = send(position, 20);
    position.marked(first!.name, 20);
    expect(position.clear(100)).toBe(3200 - 800);
    expect(position.sent).toBe(800);
    send(position, 20, 1000);
    position.marked(second!.name, 1050); // told by the far end when it cleared
    expect([position.lagMs, position.playedAt(1040)]).toEqual([0, 800]);
  });

  it.each(['', 'nidaa-', 'nidaa-x', 'nidaa-999', 'other-1'])('takes no mark called %j', (name) => {
    const position = new PlayedPosition();
    send(position, 20);
    position.marked(name, 5000);
    expect(position.lagMs).toBe(0);
  });
});
