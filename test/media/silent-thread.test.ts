import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { MediaEvent } from '../../src/media/media-port.ts';
import { allocateCallAudio } from '../../src/media/plane/call-audio.ts';
import { MediaThread, type MediaThreadOptions } from '../../src/media/plane/media-thread.ts';
import { MEDIA_RESTARTS, MediaThreads } from '../../src/media/plane/media-threads.ts';
import { SILENT_LOOKS_MAX, ThreadPulse } from '../../src/media/plane/thread-pulse.ts';
import { allocateSigns, ThreadSigns } from '../../src/media/plane/thread-signs.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { LogCapture } from '../support/log-capture.ts';
import { until } from '../support/until.ts';

const LOOK_MS = 1_000;

describe('the pulse of a thread', () => {
  it.each([
    { name: 'silent from the start', pass: [LOOK_MS * SILENT_LOOKS_MAX], silent: 1 },
    { name: 'not silent yet', pass: [LOOK_MS * SILENT_LOOKS_MAX - 1], silent: 0 },
    { name: 'silent, told once', pass: [60_000], silent: 1 },
    { name: 'heard in time, again and again', pass: Array(20).fill(LOOK_MS * (SILENT_LOOKS_MAX - 1)), silent: 0 },
    { name: 'late as a loaded machine makes it', pass: [1_900, 3_000, 2_500, 3_900], silent: 0 },
  ])('$name', ({ pass, silent }) => {
    const clock = new FakeClock();
    let told = 0;
    const pulse = new ThreadPulse(clock, () => (told += 1));
    pulse.start();
    for (const ms of pass) {
      clock.advance(ms);
      pulse.beat();
    }
    expect(told).toBe(silent);
    pulse.stop();
    expect(clock.pending).toBe(0);
  });

  it('is not missed because we ourselves stood still', () => {
    const clock = new FakeClock();
    let told = 0;
    const pulse = new ThreadPulse(clock, () => (told += 1));
    pulse.start();
    for (let stall = 0; stall < 10; stall += 1) {
      clock.leap(30_000); // what came meanwhile is read after the timers
      pulse.beat();
    }
    expect(told).toBe(0);
  });
});

describe('a media thread that hangs', () => {
  const READY = "require('node:worker_threads').parentPort.postMessage({ type: 'ready', threadId: undefined });";
  const HANGS = `${READY} require('node:worker_threads').parentPort.once('message', () => { for (;;); });`;
  const clock = new FakeClock();
  const log = new LogCapture();
  const workers: Worker[] = [];

  function make(onLost: () => void): MediaThread {
    const options: MediaThreadOptions = {
      signs: new ThreadSigns(allocateSigns()),
      ...{ name: 'media-test', priority: 'normal', clock, logger: log.logger, onLost },
      admission: { maxCalls: 10, maxLatenessP99Ms: 1_000, maxCpuPercent: 1_000 },
      spawn: () => {
        const worker = new Worker(HANGS, { eval: true });
        workers.push(worker);
        return worker;
      },
    };
    return new MediaThread(options);
  }

  it('loses its calls, is ended and has a successor', async () => {
    const threads = new MediaThreads<MediaThread>({
      ...{ count: 1, clock, logger: log.logger },
      create: (_, onLost) => make(onLost),
    });
    expect(await threads.start()).toBe(true);
    const [thread] = threads.usable;
    const events: MediaEvent[] = [];
    const opening = thread!.open(0, allocateCallAudio(1_000), [], (event) => events.push(event));
    expect(thread!.calls).toBe(1);
    const gone = once(workers[0]!, 'exit');
    clock.advance(LOOK_MS * SILENT_LOOKS_MAX);
    expect(events).toEqual([{ type: 'failed', reason: 'media thread ended' }]);
    expect(await opening).toBe('failed');
    expect(thread!.usable).toBe(false);
    await gone;
    clock.advance(MEDIA_RESTARTS.delaysMs[0]!);
    expect(workers.length).toBe(2);
    await until(() => threads.down === 0, 'the successor');
    expect(log.lines.map(({ msg }) => msg)).toContain('media thread does not answer any more');
    const ended = once(workers[1]!, 'exit');
    threads.usable[0]!.abandon();
    await ended;
    await threads.close();
  });
});

describe('a media thread that computes without an end', () => {
  const THREAD = `const { parentPort, workerData } = require('node:worker_threads');
    const { readlinkSync } = require('node:fs');
    parentPort.postMessage({ type: 'ready', threadId: readlinkSync('/proc/thread-self').split('/').pop() });
    parentPort.once('message', () => { Atomics.store(new Int32Array(workerData.signs), 2, 1); for (;;); });`;

  it('loses its calls long before its silence would be noticed', async () => {
    const log = new LogCapture();
    const signs = allocateSigns();
    const events: MediaEvent[] = [];
    let lost = 0;
    const worker = new Worker(THREAD, { eval: true, workerData: { signs } });
    const thread = new MediaThread({
      ...{ name: 'media-test', priority: 'normal', clock: systemClock, logger: log.logger },
      ...{ signs: new ThreadSigns(signs), spawn: () => worker, onLost: () => (lost += 1) },
      admission: { maxCalls: 10, maxLatenessP99Ms: 1_000, maxCpuPercent: 1_000 },
    });
    const gone = once(worker, 'exit');
    expect(await thread.started()).toBe(true);
    const opened = await thread.open(0, allocateCallAudio(1_000), [], (event) => events.push(event));
    expect(opened).toBe('failed');
    expect([lost, events]).toEqual([1, [{ type: 'failed', reason: 'media thread ended' }]]);
    expect(log.lines.map(({ msg }) => msg)).toEqual(['media thread computes without an end']); // and not that it is silent
    await gone;
  });
});
