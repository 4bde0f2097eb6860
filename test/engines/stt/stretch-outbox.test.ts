import { describe, expect, it } from 'vitest';
import { StretchOutbox } from '../../../src/engines/stt/stretch-outbox.ts';

function outbox(windowSamples: number, queuedSamplesMax: number) {
  const sent: (number | 'finish')[] = [];
  const box = new StretchOutbox(windowSamples, queuedSamplesMax, (piece) =>
    sent.push(piece === 'finish' ? piece : (piece[0] ?? -1)),
  );
  const push = (n: number): void => box.push(new Int16Array(100).fill(n));
  return { box, sent, push };
}

describe('StretchOutbox', () => {
  it('sends at once while the thread keeps up', () => {
    const { box, sent, push } = outbox(200, 1000);
    for (const n of [1, 2, 3]) {
      push(n);
      box.taken(100);
    }
    box.finish();
    expect(sent).toEqual([1, 2, 3, 'finish']);
  });

  it('holds back beyond the window, and says finish last', () => {
    const { box, sent, push } = outbox(200, 1000);
    for (const n of [1, 2, 3, 4]) push(n);
    box.finish();
    expect(sent).toEqual([1, 2]);
    box.taken(100);
    expect(sent).toEqual([1, 2, 3]);
    box.taken(200);
    expect(sent).toEqual([1, 2, 3, 4, 'finish']);
    expect(box.queuedSamples).toBe(0);
  });

  it('drops the oldest waiting audio above its limit, and counts it', () => {
    const { box, sent, push } = outbox(100, 200);
    for (const n of [1, 2, 3, 4, 5]) push(n);
    expect(box.droppedSamples).toBe(200);
    box.finish();
    for (let i = 0; i < 5; i += 1) box.taken(100);
    expect(sent).toEqual([1, 4, 5, 'finish']);
  });

  it('takes nothing after finish, and says it once', () => {
    const { box, sent, push } = outbox(1000, 1000);
    box.finish();
    box.finish();
    push(1);
    box.taken(100);
    expect(sent).toEqual(['finish']);
  });

  it('believes no thread that takes more than it was given', () => {
    const { box, sent, push } = outbox(100, 1000);
    box.taken(10_000);
    push(1);
    push(2);
    expect(sent).toEqual([1]);
  });
});
