import { mediaPortConformance } from '../conformance/media-port.ts';
import { openPlane, openPort } from '../support/media-plane-fixture.ts';
import { RtpPeer } from '../support/rtp-peer.ts';

mediaPortConformance('RTP', async () => {
  const plane = await openPlane({ queueMs: 4_000 });
  const { port } = await openPort(plane);
  const peer = await RtpPeer.open();
  port.configure(peer.media());
  const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  return {
    ...{ port, queueSamples: 32_000, measures: true, pass },
    say: async (hz, ms) => {
      peer.speak(port.local.port, hz);
      await pass(ms);
      peer.quiet();
    },
    heard: () => peer.samples(),
    close: async () => {
      peer.close();
      await plane.close();
    },
  };
});
