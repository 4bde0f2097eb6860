import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Patience } from '../../src/client/patience.ts';

describe('patience', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('ends after its time', () => {
    const patience = new Patience(100, undefined);
    vi.advanceTimersByTime(99);
    expect(patience.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(patience.signal.aborted).toBe(true);
    expect(patience.meaningOf(new Error('x'))).toMatchObject({ code: 'client_timeout' });
  });

  it('waits the whole time once more at each piece that comes', () => {
    const patience = new Patience(100, undefined);
    for (let piece = 0; piece < 5; piece += 1) {
      vi.advanceTimersByTime(99);
      patience.renew();
    }
    expect(patience.signal.aborted).toBe(false);
    vi.advanceTimersByTime(100);
    expect(patience.signal.aborted).toBe(true);
  });

  it('waits for nothing once it has ended', () => {
    const outer = new AbortController();
    const patience = new Patience(100, outer.signal);
    patience.end();
    vi.advanceTimersByTime(1_000);
    outer.abort();
    expect([patience.signal.aborted, vi.getTimerCount()]).toEqual([false, 0]);
  });
});
