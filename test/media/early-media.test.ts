import { describe, expect, it } from 'vitest';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { dtmfEventOf, writeDtmfEvent } from '../../src/media/dtmf/dtmf-event.ts';
import { allocateCallAudio } from '../../src/media/plane/call-audio.ts';
import { PcmRing } from '../../src/media/plane/pcm-ring.ts';
import { writeRtpHeader } from '../../src/media/rtp/rtp-packet.ts';
import { EARLY_BYTES_MAX, EarlyDatagrams } from '../../src/media/worker/early-datagrams.ts';
import { configure, PEER, PEER_PORT, portOf, SlotRig } from '../support/slot-rig.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

const CALL = 1;
const SECOND = 50; // rounds
const STRANGER = '192.0.2.66';

/** A caller who talks to a call whose ACK the main thread has not seen. */
class EarlyCaller {
  readonly rig = new SlotRig();
  readonly audio = allocateCallAudio(2_000);
  #sequence = 100;
  #timestamp = 1_000;

  static async open(former: Parameters<SlotRig['open']>[1] = {}): Promise<EarlyCaller> {
    const caller = new EarlyCaller();
    caller.rig.wheel.start(0);
    await caller.rig.open(CALL, { audio: caller.audio, ...former });
    caller.socket.hz = undefined;
    caller.rig.wheel.run(() => 0); // from now on every round ends with the tick that is due
    caller.rounds(3);
    return caller;
  }
  get socket() {
    return this.rig.sockets.get(portOf(CALL))!;
  }
  get keys(): string {
    return this.rig.of('event').reduce((keys, { event }) => (event.type === 'dtmf' ? keys + event.digit : keys), '');
  }
  /** What main finds when it looks. */
  heard(): Int16Array {
    const into = new Int16Array(32_000);
    return into.subarray(0, new PcmRing(this.audio.capture).read(into));
  }
  expect(): void {
    this.rig.slots[0]!.receive({ type: 'expect', call: CALL });
  }
  configure(): void {
    this.rig.slots[0]!.receive(configure(CALL));
  }
  rounds(count: number): void {
    for (let n = 0; n < count; n += 1) this.rig.round(n);
  }
  /** 20 ms a packet. */
  says(packets: number, address = PEER): void {
    for (let n = 0; n < packets; n += 1) {
      this.#send(0, encodeMulaw(tone(440, 160, { from: n * 160 })), this.#timestamp, address);
      this.#timestamp += 160;
      this.rounds(1);
    }
  }
  presses(keys: string, address = PEER): void {
    for (const key of keys) {
      for (const [duration, end] of [
        [160, false],
        [320, false],
        [480, true],
        [480, true],
      ] as const) {
        const event = Buffer.alloc(4);
        writeDtmfEvent(event, 0, { event: dtmfEventOf(key), end, volume: 10, duration });
        this.#send(101, event, this.#timestamp, address);
        this.rounds(1);
      }
      this.#timestamp += 640;
    }
  }
  #send(payloadType: number, payload: Uint8Array, timestamp: number, address: string): void {
    const datagram = Buffer.alloc(12 + payload.length);
    writeRtpHeader(datagram, payloadType, false, this.#sequence++, timestamp, 7);
    datagram.set(payload, 12);
    this.socket.deliver(datagram, address, PEER_PORT);
    datagram.fill(0xff); // the socket uses its buffer again
  }
}

describe('what a caller says and presses between our answer and the ACK that main sees a second later', () => {
  it('is kept, in order, and told once the call is up', async () => {
    const caller = await EarlyCaller.open();
    caller.expect();
    caller.presses('41');
    caller.says(SECOND / 2);
    caller.presses('7#');
    expect([caller.keys, caller.heard().length, caller.socket.sent]).toEqual(['', 0, 0]);
    caller.configure();
    expect(caller.keys).toBe('417#');
    const heard = caller.heard();
    expect(heard.length / 160).toBe(8 + SECOND / 2 + 8);
    expect(amplitudeAt(heard.subarray(12 * 160, 28 * 160), 440)).toBeCloseTo(0.25, 1);
    caller.presses('9');
    expect(caller.keys).toBe('417#9');
  });

  it('goes on without a gap where the talk began before the ACK', async () => {
    const caller = await EarlyCaller.open();
    caller.expect();
    caller.says(SECOND);
    caller.configure();
    caller.says(SECOND / 2);
    const heard = caller.heard();
    expect(heard.length / 160).toBe(SECOND + SECOND / 2);
    for (let at = 5; at + 5 <= heard.length / 160; at += 5) {
      expect(amplitudeAt(heard.subarray(at * 160, (at + 5) * 160), 440)).toBeGreaterThan(0.2);
    }
  });

  it('is not what came while the phone still rang', async () => {
    const caller = await EarlyCaller.open();
    caller.presses('41');
    caller.expect();
    caller.presses('7');
    caller.configure();
    expect(caller.keys).toBe('7');
  });

  it('is of a stranger worth as much as ever: nothing before he has proved himself', async () => {
    const caller = await EarlyCaller.open();
    caller.expect();
    caller.presses('41', STRANGER);
    caller.configure();
    caller.rounds(SECOND);
    expect(caller.keys).toBe('');
  });

  it('is not a stream of the call before on the same port', async () => {
    const former = { address: STRANGER, port: PEER_PORT, ssrc: 7, timestamp: 1_000, atMs: 0 };
    const caller = await EarlyCaller.open({ former: [former] });
    caller.expect();
    caller.says(60, STRANGER);
    caller.presses('41', STRANGER);
    caller.configure();
    expect(caller.keys).toBe('');
  });

  it('is as much audio as there is room for, the latest of it, and the keys of all', async () => {
    const caller = await EarlyCaller.open();
    caller.expect();
    caller.presses('5');
    caller.says(4 * SECOND);
    caller.configure();
    expect(caller.keys).toBe('5');
    expect(caller.heard().length / 8).toBe(1_500);
  });
});

describe('datagrams that wait', () => {
  it('are bounded by bytes, the latest stay, and what left is counted', () => {
    const early = new EarlyDatagrams();
    for (let n = 0; n < 10_000; n += 1) early.hold(Buffer.from([n & 255]), { address: PEER, port: PEER_PORT }, n);
    expect(early.waiting.length).toBe(Math.floor(EARLY_BYTES_MAX / 65));
    expect(early.dropped).toBe(10_000 - early.waiting.length);
    expect(early.waiting.at(-1)?.atMs).toBe(9_999);
    early.hold(Buffer.alloc(EARLY_BYTES_MAX), { address: PEER, port: PEER_PORT }, 10_000);
    expect(early.waiting).toEqual([]);
  });
});
