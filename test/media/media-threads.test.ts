import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/core/logger.ts';
import { Admission } from '../../src/media/plane/admission.ts';
import { type KeptThread, MEDIA_RESTARTS, MediaThreads } from '../../src/media/plane/media-threads.ts';
import { FakeClock } from '../support/fake-clock.ts';

const HOUR_MS = 3_600_000;
const RESTART_BURST = MEDIA_RESTARTS.delaysMs.length;
const RESTART_EVERY_MS = MEDIA_RESTARTS.earnMs;

/** Threads whose death the test decides. */
class Rig {
  readonly clock = new FakeClock();
  readonly made: { readonly index: number; die(): void }[] = [];
  answer: () => Promise<boolean> = async () => true;
  refuse = false;
  abandoned = 0;
  readonly threads = new MediaThreads<KeptThread>({
    count: 2,
    clock: this.clock,
    logger: silentLogger,
    create: (index, onLost) => {
      if (this.refuse) throw new Error('EAGAIN');
      let alive = true;
      const die = (): void => {
        if (!alive) return;
        alive = false;
        onLost();
      };
      this.made.push({ index, die });
      return {
        started: () => this.answer(),
        abandon: () => {
          this.abandoned += 1;
          die();
        },
        close: async () => {},
        admission: new Admission({ maxCalls: 1, maxLatenessP99Ms: 1, maxCpuPercent: 1 }),
        ...{ calls: 0, load: { calls: 0, latenessP99Ms: 0, lateTicks: 0, skippedTicks: 0, cpuPercent: 0 } },
        get usable() {
          return alive;
        },
      };
    },
  });
  killLast(): void {
    this.made.at(-1)?.die();
  }
}

describe('MediaThreads', () => {
  it('starts all, and says so', async () => {
    const rig = new Rig();
    expect(await rig.threads.start()).toBe(true);
    expect([rig.threads.count, rig.threads.down, rig.threads.usable.length]).toEqual([2, 0, 2]);
  });

  it('brings back a thread that dies once an hour, every time', async () => {
    const rig = new Rig();
    await rig.threads.start();
    for (let n = 0; n < 30; n += 1) {
      rig.killLast();
      expect([rig.threads.down, rig.threads.usable.length]).toEqual([1, 1]);
      await rig.clock.advanceAsync(1);
      expect([rig.threads.down, rig.threads.usable.length]).toEqual([0, 2]);
      rig.clock.advance(HOUR_MS);
    }
    expect(rig.made.length).toBe(32);
  });

  it('backs off from one that dies of starting, and brings it back when it can live', async () => {
    const rig = new Rig();
    await rig.threads.start();
    for (let n = 0; n < 10 * RESTART_BURST; n += 1) {
      rig.killLast();
      await rig.clock.advanceAsync(1);
    }
    const inBurst = rig.made.length - 2;
    expect(inBurst).toBe(RESTART_BURST);
    expect(rig.threads.down).toBe(1);
    await rig.clock.advanceAsync(RESTART_EVERY_MS, 1_000);
    expect([rig.made.length - 2, rig.threads.down]).toEqual([RESTART_BURST + 1, 0]);
  });

  it('goes on trying where the system gives no thread', async () => {
    const rig = new Rig();
    await rig.threads.start();
    rig.refuse = true;
    rig.killLast();
    await rig.clock.advanceAsync(10 * RESTART_EVERY_MS, 1_000);
    expect([rig.threads.down, rig.threads.usable.length]).toEqual([1, 1]);
    rig.refuse = false;
    await rig.clock.advanceAsync(RESTART_EVERY_MS, 1_000);
    expect(rig.threads.down).toBe(0);
  });

  it('ends a thread that hangs while it starts, and tries another', async () => {
    const rig = new Rig();
    rig.answer = async () => rig.made.length > 2;
    expect(await rig.threads.start()).toBe(false);
    await rig.clock.advanceAsync(10);
    expect([rig.abandoned, rig.threads.down]).toEqual([2, 0]);
  });

  it('starts nothing after close', async () => {
    const rig = new Rig();
    await rig.threads.start();
    rig.killLast();
    await rig.threads.close();
    await rig.clock.advanceAsync(HOUR_MS, 60_000);
    expect(rig.made.length).toBe(2);
    expect(rig.clock.pending).toBe(0);
  });
});
