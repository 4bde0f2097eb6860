import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readWav } from '../../src/audio/wav.ts';
import type { MediaPlane, MediaPort } from '../../src/media/media-port.ts';
import { SrtpKey, type SrtpKeys } from '../../src/media/srtp/srtp-key.ts';
import { SRTP_SUITE_NAMES } from '../../src/media/srtp/srtp-suite.ts';
import { drain, openPlane, openPort } from '../support/media-plane-fixture.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

const planes: MediaPlane[] = [];
afterAll(() => Promise.all(planes.map((plane) => plane.close())));

describe.each(EVERY_TEST ? (['direct', 'dgram'] as const) : (['direct'] as const))(
  'two calls that speak SRTP to each other, %s',
  (io) => {
    it('hear each other with every suite', async () => {
      const plane = await openPlane({ io });
      planes.push(plane);
      for (const suite of SRTP_SUITE_NAMES) {
        const [a, b] = [await openPort(plane), await openPort(plane)];
        const [keyA, keyB] = [SrtpKey.random(suite), SrtpKey.random(suite)];
        talkTo(a.port, b.port, { send: keyA, receive: [keyB] });
        talkTo(b.port, a.port, { send: keyB, receive: [keyA] });
        const hears = { a: false, b: false };
        await until(() => {
          say(a.port, 440);
          say(b.port, 1000);
          hears.a ||= amplitudeAt(drain(a.port), 1000) > 0.1;
          hears.b ||= amplitudeAt(drain(b.port), 440) > 0.1;
          return hears.a && hears.b;
        });
        for (const { port } of [a, b]) {
          expect(await port.close()).toMatchObject({ srtpSuite: suite, packetsForged: 0, packetsReplayed: 0 });
        }
      }
    });
  },
);

it('an encrypted call and one in the clear, joined and recorded, hear each other', async () => {
  const plane = await openPlane();
  planes.push(plane);
  const [near, far, phoneA, phoneB] = await Promise.all(Array.from({ length: 4 }, () => openPort(plane)));
  const [ours, theirs] = [SrtpKey.random('AEAD_AES_128_GCM'), SrtpKey.random('AEAD_AES_128_GCM')];
  talkTo(near!.port, phoneA!.port, { send: ours, receive: [theirs] });
  talkTo(phoneA!.port, near!.port, { send: theirs, receive: [ours] });
  talkTo(far!.port, phoneB!.port);
  talkTo(phoneB!.port, far!.port);
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-encrypted-'));
  const path = join(folder, 'call.wav');
  try {
    near!.port.startRecording(path);
    expect(plane.bridge(near!.port, far!.port)).toBeDefined();
    const hears = { a: false, b: false };
    await until(() => {
      say(phoneA!.port, 440);
      say(phoneB!.port, 1000);
      hears.a ||= amplitudeAt(drain(phoneA!.port), 1000) > 0.1;
      hears.b ||= amplitudeAt(drain(phoneB!.port), 440) > 0.1;
      return hears.a && hears.b;
    });
    phoneA!.port.sendDtmf('7');
    await until(() => near!.events.some((e) => e.type === 'dtmf' && e.digit === '7'));
    await until(() => phoneB!.events.some((e) => e.type === 'dtmf' && e.digit === '7'));
    expect(await near!.port.close()).toMatchObject({ packetsForged: 0, packetsReplayed: 0 });
    expect(await far!.port.close()).not.toHaveProperty('srtpSuite');
    const wav = readWav(readFileSync(path));
    if (typeof wav === 'string') throw new Error(wav);
    const [left, right] = wav.channels as [Int16Array, Int16Array];
    expect(loudest(left, 440)).toBeGreaterThan(0.1);
    expect(loudest(right, 1000)).toBeGreaterThan(0.1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function talkTo(port: MediaPort, other: MediaPort, srtp?: SrtpKeys): void {
  port.configure({
    remote: other.local,
    signallingAddress: '127.0.0.1',
    codec: 'PCMU',
    payloadType: 0,
    ptimeMs: 20,
    direction: 'sendrecv',
    rtcpMux: true,
    remoteRtcpPort: other.local.port,
    dtmfPayloadType: 101,
    ...(srtp && { srtp }),
  });
}

/** Of a tone, over a quarter of a second. */
function loudest(samples: Int16Array, hz: number): number {
  const parts = Array.from({ length: Math.floor(samples.length / 2_000) }, (_, part) =>
    samples.subarray(part * 2_000, (part + 1) * 2_000),
  );
  return Math.max(0, ...parts.map((part) => amplitudeAt(part, hz)));
}

/** Keeps half a second of a tone in front of the port. */
function say(port: MediaPort, hz: number): void {
  if (port.writtenSamples - port.playedSamples < 4_000) port.write(tone(hz, 8_000, { from: port.writtenSamples }));
}
