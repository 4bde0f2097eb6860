import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { BoundedQueue } from '../../src/core/bounded-queue.ts';
import { delay } from '../../src/core/clock.ts';
import { ERRORS, errorText, ServiceError } from '../../src/core/errors.ts';
import { newId, newTokenSecret } from '../../src/core/ids.ts';
import { createLogger } from '../../src/core/logger.ts';
import { distance16, distance32, uint16 } from '../../src/core/uint.ts';
import { workerUrl } from '../../src/core/worker-url.ts';
import { FakeClock } from '../support/fake-clock.ts';

describe('BoundedQueue', () => {
  it('never holds more than its capacity, and counts what it refused', () => {
    const queue = new BoundedQueue<number>(2);
    expect([queue.push(1), queue.push(2), queue.push(3)]).toEqual([true, true, false]);
    expect([queue.shift(), queue.shift(), queue.shift()]).toEqual([1, 2, undefined]);
    expect(queue.dropped).toBe(1);
  });
  it('can push the oldest out', () => {
    const queue = new BoundedQueue<number>(2);
    queue.push(1);
    queue.push(2);
    expect(queue.pushEvicting(3)).toBe(1);
    expect([queue.length, queue.shift(), queue.shift()]).toEqual([2, 2, 3]);
  });
  it('stays in order over many turns', () => {
    const queue = new BoundedQueue<number>(300);
    let next = 0;
    for (let i = 0; i < 1000; i += 1) {
      queue.push(i);
      if (i % 3 !== 0) expect(queue.shift()).toBe(next++);
    }
  });
});

describe('wrapping counters', () => {
  it.each([
    [65_535, 0, 1],
    [0, 65_535, -1],
    [32_767, 32_768, 1],
    [10, 10, 0],
  ])('from %i to %i is %i', (from, to, distance) => {
    expect(distance16(from, to)).toBe(distance);
  });
  it('wraps at 32 bits too', () => {
    expect(distance32(0xffff_ffff, 4)).toBe(5);
    expect(uint16(65_536 + 7)).toBe(7);
  });
});

describe('errors', () => {
  it('fill in what was named', () => {
    expect(new ServiceError('unknown_voice', 'zed').message).toBe('Unknown voice zed');
    expect(new ServiceError('agent_not_live', 'agt_1').message).toBe('Agent agt_1 is not live.');
  });
  it('have one status each, in the range of errors', () => {
    for (const [code, row] of Object.entries(ERRORS)) {
      expect(code).toMatch(/^[a-z_]+$/);
      expect(row.status).toBeGreaterThanOrEqual(400);
      expect(row.status).toBeLessThan(600);
    }
  });
});

describe('errorText', () => {
  it('leaves out the parameters of a failed query', () => {
    const failed = Object.assign(
      new Error('Failed query: select 1\nparams: +966500000001', { cause: new Error('no route') }),
      {
        ...{ query: 'select 1', params: ['+966500000001'] },
      },
    );
    expect(errorText(failed)).toBe('no route');
    expect(errorText(new Error('plain'))).toBe('plain');
    expect(errorText('text')).toBe('text');
  });
});

describe('ids', () => {
  it('have a prefix and enough randomness', () => {
    expect(newId('agt')).toMatch(/^agt_[a-z2-7]{20}$/);
    expect(newTokenSecret()).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(new Set(Array.from({ length: 1000 }, () => newId('call'))).size).toBe(1000);
  });
});

describe('logger', () => {
  const logged = (redactPersonal: boolean): string => {
    let text = '';
    const stream = new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk);
        done();
      },
    });
    const logger = createLogger({ level: 'info', redactPersonal }, stream);
    logger.info({ pii: { from: '+966500000001' }, call: { pii: { digits: '12348765' } } }, 'call ended');
    logger.child({ pii: { to: '20004321' } }).info('child');
    return text;
  };
  it('keeps personal data out by default', () => {
    expect(logged(true)).not.toMatch(/\+966500000001|12348765|20004321/);
    expect(logged(true)).toContain('"msg":"call ended"');
  });
  it('shows it only where that was chosen', () => {
    expect(logged(false)).toContain('+966500000001');
  });
});

describe('delay', () => {
  it('ends with its time, or with the signal', async () => {
    const clock = new FakeClock();
    const waited = delay(clock, 100);
    clock.advance(100);
    await waited;
    const abort = new AbortController();
    const cut = delay(clock, 100, abort.signal);
    abort.abort();
    await cut;
    expect(clock.pending).toBe(0);
  });
});

describe('workerUrl', () => {
  it('points at the build, from the sources and from the build', () => {
    expect(workerUrl('file:///a/src/b/src/media/x.ts', './w').href).toBe('file:///a/src/b/dist/media/w.js');
    expect(workerUrl('file:///a/dist/media/x.js', './w').href).toBe('file:///a/dist/media/w.js');
  });
});
