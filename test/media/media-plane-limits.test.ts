import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { MEDIA_IO_KINDS } from '../../src/media/io/choose-io.ts';
import type { MediaEvent, MediaPlane, MediaPort } from '../../src/media/media-port.ts';
import { allocateCallAudio } from '../../src/media/plane/call-audio.ts';
import { createMediaPlane } from '../../src/media/plane/media-plane.ts';
import { MediaThread, startMediaWorker } from '../../src/media/plane/media-thread.ts';
import { allocateSigns, ThreadSigns } from '../../src/media/plane/thread-signs.ts';
import { UNPROVEN_PACKETS_MAX } from '../../src/media/rtp/remote-endpoint.ts';
import { parseRtcp } from '../../src/media/rtp/rtcp-packet.ts';
import { allocateUnprovenTable } from '../../src/media/rtp/unproven-budget.ts';
import { drain, openPlane, openPort } from '../support/media-plane-fixture.ts';
import { freeUdpRange, udpFree } from '../support/ports.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { RtpPeer } from '../support/rtp-peer.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

/** Both kinds do the same for their owner, which `media-io.test.ts` tries of each. */
const KINDS = EVERY_TEST ? MEDIA_IO_KINDS : (['direct'] as const);
const planes: MediaPlane[] = [];
const peers: RtpPeer[] = [];
async function start(...args: Parameters<typeof openPlane>): Promise<MediaPlane> {
  const plane = await openPlane(...args);
  planes.push(plane);
  return plane;
}
async function phone(address?: string): Promise<RtpPeer> {
  const peer = await RtpPeer.open(address);
  peers.push(peer);
  return peer;
}
afterEach(async () => {
  for (const peer of peers.splice(0)) peer.close();
  await Promise.all(planes.splice(0).map((plane) => plane.close()));
});

describe('media plane limits', () => {
  it('refuses calls when the ports are gone, and has them all back after many calls', async () => {
    const portMin = await freeUdpRange(8);
    const plane = await start({ portMin, portMax: portMin + 7, portDrainMs: 0 });
    for (let round = 0; round < 25; round += 1) {
      const open = await Promise.all(Array.from({ length: 6 }, () => plane.open({ callId: 'c', onEvent: () => {} })));
      const ports = open.filter((port): port is MediaPort => typeof port !== 'string');
      expect(ports.length).toBe(4);
      expect(open.filter((port) => port === 'no-ports').length).toBe(2);
      expect(new Set(ports.map((port) => port.local.port)).size).toBe(4);
      expect(plane.load()).toMatchObject({ calls: 4, portsFree: 0 });
      await Promise.all(ports.map((port) => port.close()));
      expect(plane.load()).toMatchObject({ calls: 0, portsFree: 4 });
    }
  });

  it('has threads with a bounded heap for what lives shortly: V8 would take three times as much when calls come', async () => {
    const started: Worker[] = [];
    const note = (worker: Worker): void => void started.push(worker);
    process.on('worker', note);
    await start({});
    process.off('worker', note);
    expect(started.length).toBeGreaterThan(0);
    for (const { resourceLimits } of started) expect(resourceLimits?.maxYoungGenerationSizeMb).toBe(24);
  });

  it.each(KINDS)('goes round a port that another program holds, sockets: %s', async (io) => {
    const taken = await freeUdpRange(6);
    const holder = createSocket('udp4');
    holder.bind(taken, '127.0.0.1');
    await once(holder, 'listening');
    const plane = await start({ io, portMin: taken, portMax: taken + 5 });
    const { port } = await openPort(plane);
    expect(port.local.port).not.toBe(taken);
    holder.close();
  });

  it('refuses calls above the limit of its threads', async () => {
    const plane = await start({ callsPerWorker: 2, workers: 2 });
    const open = await Promise.all(Array.from({ length: 5 }, () => plane.open({ callId: 'c', onEvent: () => {} })));
    expect(open.filter((port) => port === 'overloaded').length).toBe(1);
    expect(plane.load()).toMatchObject({ calls: 4, capacity: 4 });
  });

  it('refuses calls after close, which closes those that are open', async () => {
    const plane = await start();
    const { port } = await openPort(plane);
    await Promise.all([plane.close(), plane.close()]);
    expect(await plane.open({ callId: 'c', onEvent: () => {} })).toBe('closed');
    expect((await port.stats()).packetsSent).toBe(0);
  });

  it('says at start that a port range is empty', async () => {
    await expect(openPlane({ portMin: 40_001, portMax: 40_001 })).rejects.toThrow(RangeError);
  });

  it('reports silence of the caller, but not on hold', async () => {
    const plane = await start({ rtpTimeoutMs: 300 });
    const peer = await phone();
    const held = await openPort(plane);
    const talking = await openPort(plane);
    held.port.configure(peer.media({ direction: 'sendonly' }));
    talking.port.configure(peer.media());
    await until(() => talking.events.some((event) => event.type === 'timeout'), 'the timeout');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(held.events).toEqual([]);
    expect(talking.events.filter((event) => event.type === 'timeout').length).toBe(1);
  });

  it.runIf(EVERY_TEST).each(KINDS)('publishes its figures, sockets: %s', async (io) => {
    const metrics = createMetrics();
    const plane = await start({ metrics, io });
    const peer = await phone();
    const { port } = await openPort(plane);
    port.configure(peer.media());
    peer.speak(port.local.port);
    await until(() => plane.load().cpuPercent > 0, 'a load report');
    await port.close();
    const published = await metrics.registry.metrics();
    expect(published).toContain('nidaa_call_mos_count 1');
    expect(published.match(/^nidaa_media_io_info\{.*/gm)).toEqual([`nidaa_media_io_info{io="${io}"} 1`]);
  });
});

describe('what may fail', () => {
  it('is a recording: the call goes on, and the owner is told', async () => {
    const failures: string[] = [];
    const plane = await start({ onRecordingFailed: (callId, reason) => failures.push(`${callId} ${reason}`) });
    const peer = await phone();
    const { port } = await openPort(plane);
    port.configure(peer.media());
    peer.speak(port.local.port);
    port.startRecording('/dev/full'); // every write says that the disk is full
    await until(() => failures.length > 0, 'the failure');
    expect(failures[0]).toMatch(/^call_test .*ENOSPC/);
    expect(plane.load().recording).toMatchObject({ ok: false, why: expect.stringContaining('ENOSPC') });
    const before = peer.heard.length;
    await until(() => peer.heard.length > before + 10, 'more audio');
    expect(failures.length).toBe(1);
  });

  it('is one call: the thread and its other calls go on, and what it held is free again', async () => {
    const plane = await start({ workers: 1 });
    const [good, bad] = [await openPort(plane), await openPort(plane)];
    const [peer, other] = [await phone(), await phone()];
    good.port.configure(peer.media());
    bad.port.configure(other.media());
    await until(() => other.heard.length > 0, 'audio of both');
    bad.port.sendDtmf(5 as never); // throws in a tick
    await until(() => bad.events.some(({ type }) => type === 'failed'), 'the failure');
    await until(() => plane.load().calls === 1, 'the end of the failed call');
    const third = await openPort(plane);
    third.port.configure({} as never); // throws at the message
    await until(() => third.events.some(({ type }) => type === 'failed'), 'the second failure');
    const before = peer.heard.length;
    await until(() => peer.heard.length > before + 10, 'more audio');
    expect(good.events).toEqual([]);
    expect((await bad.port.close()).packetsSent).toBeGreaterThan(0);
    expect(plane.load()).toMatchObject({ calls: 1, threadsDown: 0 });
  });

  it('is the owner of a call, who throws at what he is told', async () => {
    const plane = await start();
    const peer = await phone();
    const port = await plane.open({
      callId: 'call_test',
      onEvent: () => {
        throw new Error('not now');
      },
    });
    if (typeof port === 'string') throw new Error(port);
    port.configure(peer.media());
    peer.speak(port.local.port);
    await until(async () => (await port.stats()).packetsReceived > 5, 'audio in spite of it');
  });

  it.each(
    KINDS.flatMap((io) => [
      { io, end: 'throws', kill: (thread: MediaThread) => thread.send(null as never) },
      { io, end: 'is ended', kill: (thread: MediaThread) => thread.abandon() },
    ]),
  )('is a thread that $end: its calls are told and its ports are free, sockets: $io', async ({ io, kill }) => {
    let lost = 0;
    const events: MediaEvent[] = [];
    const worker = {
      io,
      bindAddress: '127.0.0.1',
      rtpTimeoutMs: 1_000,
      jitter: { minMs: 20, maxMs: 200 },
      cname: 'x',
      comfortNoiseDb: undefined,
      signs: allocateSigns(),
      srtp: 'node:crypto' as const,
    };
    const thread = new MediaThread({
      name: 'media-test',
      signs: new ThreadSigns(worker.signs),
      spawn: () => startMediaWorker('media-test', { ...worker, unproven: allocateUnprovenTable(1) }),
      admission: { maxCalls: 10, maxLatenessP99Ms: 1_000, maxCpuPercent: 1_000 },
      priority: 'normal',
      clock: systemClock,
      logger: silentLogger,
      onLost: () => {
        lost += 1;
      },
    });
    expect(await thread.started()).toBe(true);
    const port = await freeUdpRange(1);
    const opened = await thread.open(port, allocateCallAudio(1_000), [], (event) => events.push(event));
    if (typeof opened === 'string') throw new Error(opened);
    kill(thread);
    await until(() => lost === 1, 'the end of the thread');
    expect(events).toEqual([{ type: 'failed', reason: 'media thread ended' }]);
    expect(await thread.closeCall(opened.call)).toBeUndefined();
    expect(thread.usable).toBe(false);
    await until(() => udpFree(port), 'the port');
    await thread.close();
  });
});

describe('a reader', () => {
  it.runIf(EVERY_TEST)('that stalls for longer than the ring holds gets the present', async () => {
    const plane = await start();
    const peer = await phone();
    const { port } = await openPort(plane);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(drain(port).length).toBe(0); // nothing before the call is configured
    port.configure(peer.media());
    peer.speak(port.local.port, 440);
    await new Promise((resolve) => setTimeout(resolve, 4_600));
    peer.speak(port.local.port, 1000);
    await new Promise((resolve) => setTimeout(resolve, 400));
    const audio = drain(port);
    expect(audio.length).toBeLessThan(16_000);
    expect(amplitudeAt(audio.subarray(-1_600), 1000)).toBeCloseTo(0.25, 1);
  });
});

describe('a port that is used again', () => {
  it.runIf(EVERY_TEST)(
    'lets the next call hear nothing of a caller who never stopped, and sends him nothing',
    async () => {
      const portMin = await freeUdpRange(2);
      const plane = await start({ portMin, portMax: portMin + 1, portDrainMs: 100 });
      const old = await phone();
      const first = await openPort(plane);
      first.port.configure(old.media());
      old.speak(portMin, 2000);
      await until(() => first.events.length === 1, 'latching');
      await first.port.close();
      await until(() => plane.load().portsFree === 1, 'the port');
      const silent = await phone(); // of the same host, as all calls of a trunk are
      const second = await openPort(plane);
      second.port.configure(silent.media());
      const before = old.heard.length;
      second.port.write(tone(500, 8_000));
      await until(() => second.port.playedSamples === 8_000, 'a second of the second call');
      expect(drain(second.port).every((sample) => sample === 0)).toBe(true);
      expect(second.events).toEqual([]);
      expect(old.heard.length).toBe(before);
      expect((await second.port.close()).packetsRejected).toBeGreaterThan(20);
      await until(() => plane.load().portsFree === 1, 'the port again');
      const third = await openPort(plane); // and still not
      third.port.configure(silent.media());
      await until(() => silent.heard.length > 70, 'packets of the third call');
      expect([third.events, old.heard.length]).toEqual([[], before]);
    },
  );
});

describe.each(KINDS)('a call that moves, sockets: %s', (io) => {
  it('follows a re-INVITE to another address, and no longer hears the old one', async () => {
    const plane = await start({ io });
    const [before, after] = [await phone(), await phone()];
    const { port, events } = await openPort(plane);
    port.configure(before.media());
    before.speak(port.local.port, 440);
    await until(() => events.length === 1, 'latching');
    before.quiet(); // who sends on from where he was may be the phone behind a NAT
    port.configure(after.media());
    after.ssrc = 99;
    after.speak(port.local.port, 1000);
    await until(() => events.length === 2 && after.heard.length > 5, 'the new phone');
    before.heard.length = 0;
    before.speak(port.local.port, 440);
    drain(port);
    port.write(tone(500, 1_600));
    await until(() => port.playedSamples === 1_600, 'speech');
    expect(events[1]).toEqual({ type: 'latched', address: '127.0.0.1', port: after.port });
    expect(before.heard.length).toBe(0);
  });

  it.runIf(EVERY_TEST)('floods nobody by re-INVITEs to ever other ports that never answer', async () => {
    const plane = await start({ io });
    const victims = await Promise.all([phone(), phone(), phone()]);
    const { port } = await openPort(plane);
    const sent = (): number => victims.reduce((sum, { heard }) => sum + heard.length, 0);
    for (let turn = 0; turn < 9; turn += 1) {
      const before = sent();
      port.configure((victims[turn % 3] as RtpPeer).media({ signallingAddress: '127.0.0.77' }));
      await until(() => sent() >= Math.min(before + 10, UNPROVEN_PACKETS_MAX), 'some packets');
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(sent()).toBe(UNPROVEN_PACKETS_MAX);
  });

  it('survives a phone that is not there: nothing listens on its port', async () => {
    const plane = await start({ io });
    const gone = await phone();
    const media = gone.media();
    const { port, events } = await openPort(plane);
    gone.close();
    peers.pop();
    port.configure(media);
    port.write(tone(500, 4_000));
    await until(() => port.playedSamples === 4_000, 'speech into the void');
    expect(events).toEqual([]);
  });

  it('speaks RTCP on the port above when it is not muxed', async () => {
    const plane = await start({ io });
    const peer = await phone();
    const rtcpPeer = await phone();
    const { port } = await openPort(plane);
    port.configure(peer.media({ rtcpMux: false, remoteRtcpPort: rtcpPeer.port }));
    peer.speak(port.local.port);
    await until(() => rtcpPeer.rtcp.length > 0, 'reports');
    expect(peer.rtcp.length).toBe(0);
    expect(parseRtcp(rtcpPeer.rtcp[0] as Buffer)).toMatchObject([{ type: 'sr' }, { type: 'sdes' }]);
  });

  it.runIf(EVERY_TEST)('speaks RTCP from another port when a program holds the one above', async () => {
    const portMin = await freeUdpRange(2);
    const holder = createSocket('udp4');
    holder.bind(portMin + 1, '127.0.0.1');
    await once(holder, 'listening');
    const plane = await start({ io, portMin, portMax: portMin + 1 });
    const peer = await phone();
    const rtcpPeer = await phone();
    const { port } = await openPort(plane);
    port.configure(peer.media({ rtcpMux: false, remoteRtcpPort: rtcpPeer.port }));
    peer.speak(port.local.port);
    await until(() => rtcpPeer.rtcp.length > 0, 'reports');
    holder.close();
  });
});

it('a plane whose address cannot be bound says why the call is refused', async () => {
  const plane = await createMediaPlane({
    ...{ portMin: 47_000, portMax: 47_009, callsPerWorker: 5, workers: 1, rtpTimeoutMs: 1_000, queueMs: 1_000 },
    bindAddress: '192.0.2.123',
    advertiseAddress: '192.0.2.123',
    jitter: { minMs: 20, maxMs: 200 },
    raisePriority: false,
    logger: silentLogger,
    clock: systemClock,
  });
  planes.push(plane);
  expect(await plane.open({ callId: 'c', onEvent: () => {} })).toBe('overloaded');
});
