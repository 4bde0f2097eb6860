import { afterAll, describe, expect, it } from 'vitest';
import type { MediaPlane, MediaPort } from '../../src/media/media-port.ts';
import { SrtpKey, type SrtpKeys } from '../../src/media/srtp/srtp-key.ts';
import { SRTP_SUITE_NAMES } from '../../src/media/srtp/srtp-suite.ts';
import { drain, openPlane, openPort } from '../support/media-plane-fixture.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

const planes: MediaPlane[] = [];
afterAll(() => Promise.all(planes.map((plane) => plane.close())));

describe.each(['direct', 'dgram'] as const)('two calls that speak SRTP to each other, %s', (io) => {
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
});

function talkTo(port: MediaPort, other: MediaPort, srtp: SrtpKeys): void {
  port.configure({
    remote: other.local,
    signallingAddress: '127.0.0.1',
    codec: 'PCMU',
    payloadType: 0,
    ptimeMs: 20,
    direction: 'sendrecv',
    rtcpMux: true,
    remoteRtcpPort: other.local.port,
    srtp,
  });
}

/** Keeps half a second of a tone in front of the port. */
function say(port: MediaPort, hz: number): void {
  if (port.writtenSamples - port.playedSamples < 4_000) port.write(tone(hz, 8_000, { from: port.writtenSamples }));
}
