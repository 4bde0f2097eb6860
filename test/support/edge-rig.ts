import { afterAll, afterEach, beforeAll } from 'vitest';
import type { RtpengineEdge } from '../../src/media/edge/rtpengine-edge.ts';
import { Baresip, type PhoneOptions } from './baresip.ts';
import { type EchoCall, EchoGateway } from './echo-gateway.ts';
import { edgeOf, Rtpengine } from './rtpengine.ts';
import { tone } from './tones.ts';
import { until } from './until.ts';

const SECONDS = 30;

export interface EdgeRig {
  readonly engine: Rtpengine;
  readonly gateway: EchoGateway;
  /** A phone that speaks a tone, until the end of the test. */
  phoneOf(options?: PhoneOptions): Promise<Baresip>;
  /** A second of audio more has come. */
  moved(call: EchoCall): Promise<void>;
}

/**
 * For the tests of a `describe`: a real rtpengine, and an echo gateway behind it. After each of them rtpengine has to have given back
 * whatever it had.
 *
 * @param outside - its address outside, where that is not the one inside.
 */
export function edgeRig(outside?: string): EdgeRig {
  let engine: Rtpengine;
  let edge: RtpengineEdge | undefined;
  let gateway: EchoGateway | undefined;
  const phones: Baresip[] = [];
  beforeAll(async () => {
    const interfaces = outside === undefined ? undefined : ['lan/127.0.0.1', 'wan/127.0.0.1', `wan/${outside}`];
    engine = await Rtpengine.start(5, interfaces);
    edge = await edgeOf([engine.address], interfaces && { interfaces: { inner: 'lan', outer: 'wan' } });
    gateway = await EchoGateway.open(edge, outside);
  });
  afterEach(async () => {
    for (const phone of phones.splice(0)) phone.dispose();
    await engine.free();
  });
  afterAll(async () => {
    await gateway?.close();
    edge?.close();
    await engine?.kill();
  });
  return {
    get engine() {
      return engine;
    },
    get gateway() {
      return gateway!;
    },
    async phoneOf(options = {}) {
      const microphone = tone(440, 8000 * SECONDS, { amplitude: 0.3 });
      const phone = await Baresip.start({ user: 'callee', maxSeconds: SECONDS + 10, microphone, ...options });
      phones.push(phone);
      return phone;
    },
    async moved(call) {
      const { packetsReceived } = await call.port.stats();
      await until(async () => (await call.port.stats()).packetsReceived > packetsReceived + 50, 'audio comes');
    },
  };
}
