import { describe, expect, it } from 'vitest';
import { SynchronousLoop } from '../../src/media/worker/synchronous-loop.ts';
import { TickWheel } from '../../src/media/worker/tick-wheel.ts';

/** A loop whose sleeping moves the clock; `round` does what happens in each round, and may stop it. */
class LoopRig {
  nowMs = 100;
  readonly wheel = new TickWheel();
  readonly sleeps: number[] = [];
  readonly reports: number[] = [];
  readonly looks: number[] = []; // of each round
  beats = 0;
  rests = 0;
  pending = 0; // datagrams of one socket
  workMs = 0; // of each tick
  rounds = 0;
  rung = 0;
  messages = 1; // since the bell rang
  readonly heard: string[] = []; // of messages and datagrams
  readonly loop: SynchronousLoop;

  /** @param meanwhile - happens between a look at the network and its result. */
  constructor(round: (rig: LoopRig) => void, last: number, meanwhile?: (rig: LoopRig) => void) {
    const rung = (): number => this.rung;
    const signs = {
      get rung() {
        return rung();
      },
      beat: () => {
        this.beats += 1;
      },
      rest: () => {
        this.rests += 1;
      },
      sleep: (ms: number, heard: number) => {
        if (heard !== this.rung) return;
        this.sleeps.push(ms);
        this.nowMs += ms;
      },
    };
    this.loop = new SynchronousLoop(this.wheel, signs, {
      now: () => this.nowMs,
      report: (nowMs) => {
        this.reports.push(nowMs);
        this.#begin(round, last);
      },
      receive: () => {
        if (this.messages === 0) return false;
        this.messages -= 1;
        this.heard.push('message');
        return true;
      },
      poll: (hear) => {
        this.looks[this.looks.length - 1]! += 1;
        this.pending -= 1;
        meanwhile?.(this);
        hear();
        if (this.pending >= 0) this.heard.push('datagram');
        return this.pending >= 0;
      },
    });
    this.#begin(round, last);
  }
  #begin(round: (rig: LoopRig) => void, last: number): void {
    this.rounds += 1;
    if (this.rounds > last) return this.loop.stop();
    this.looks.push(0);
    round(this);
  }
  member(): { readonly ticks: number[] } {
    const ticks: number[] = [];
    const onTick = (): void => {
      ticks.push(this.nowMs);
      this.nowMs += this.workMs;
    };
    this.wheel.join({ onTick }, 20);
    return { ticks };
  }
}

describe('the loop of a media thread without an event loop', () => {
  it('rests while there are no calls, and still says how it is', () => {
    const rig = new LoopRig(() => {}, 4);
    rig.loop.run();
    expect(rig.sleeps).toEqual([1_000, 1_000, 1_000]);
    expect(rig.reports.length).toBe(4);
    expect(rig.rests).toBe(4); // the last one is its end
  });

  it('runs every tick in its time, to whoever joined between them', () => {
    let early: { ticks: number[] } | undefined;
    const rig = new LoopRig((one) => {
      if (one.rounds === 2) early = one.member();
    }, 103);
    rig.loop.run();
    const since = early!.ticks.map((ms) => ms - early!.ticks[0]!);
    expect(since).toEqual([0, 20, 40, 60, 80, 100]);
    expect(Math.max(...rig.sleeps.slice(1))).toBe(1);
    expect([rig.wheel.skippedTicks, rig.wheel.lateTicks]).toEqual([0, 0]); // nothing of the rest is made up for
  });

  it('reads what piled up, and no more than so many looks in a row', () => {
    const rig = new LoopRig((one) => {
      one.pending = one.rounds === 1 ? 5 : 1_000;
    }, 2);
    rig.loop.run();
    expect(rig.looks).toEqual([6, 16]);
    expect(rig.beats).toBeGreaterThanOrEqual(22); // every look is a sign of life
  });

  it('hears what main says while it looks before it hears a datagram, once', () => {
    const say = (one: LoopRig): void => {
      if (one.looks.length !== 1 || one.looks[0] !== 2) return;
      one.messages = 1;
      one.rung += 1;
    };
    const rig = new LoopRig(
      (one) => {
        one.pending = one.rounds === 1 ? 3 : 0;
      },
      3,
      say,
    );
    rig.loop.run();
    expect(rig.heard).toEqual(['message', 'datagram', 'message', 'datagram', 'datagram']);
  });

  it('does not sleep through a message that came after it looked', () => {
    const rig = new LoopRig((one) => {
      if (one.rounds !== 2) return;
      one.messages = 1; // the round before has looked, and goes to sleep
      one.rung += 1;
    }, 3);
    rig.loop.run();
    expect(rig.heard.length).toBe(2);
    expect(rig.sleeps.length).toBe(1);
  });

  it('gives a sign of life for every message', () => {
    const rig = new LoopRig(() => {}, 1);
    rig.messages = 1_000;
    rig.loop.run();
    expect(rig.heard.length).toBe(1_000);
    expect(rig.beats).toBeGreaterThanOrEqual(1_000);
  });

  it('leaves the processor to others now and then where it is always late', () => {
    const rig = new LoopRig((one) => {
      if (one.rounds === 1) one.member();
      one.workMs = 25; // of every 20
    }, 200);
    rig.loop.run();
    const sleptMs = rig.sleeps.reduce((sum, ms) => sum + ms, 0);
    expect(sleptMs / rig.nowMs).toBeGreaterThan(0.01);
    expect(Math.max(...rig.sleeps)).toBeLessThanOrEqual(1);
  });
});
