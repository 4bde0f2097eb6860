import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CODECS } from '../../src/media/codec/codecs.ts';
import { writeRtpHeader } from '../../src/media/rtp/rtp-packet.ts';
import { tone } from './tones.ts';

/** What an attacker says: in nobody's ear, in no recording. */
export const STRANGE_HZ = 2000;
const FLOOD_PER_SECOND = 5_000;
const BURST_MS = 10;
/** Packets at once after a pause: who catches up for seconds holds up the caller of the same process. */
const BURST_MAX = 200;

/** Media from a stranger, against ports of a gateway. */
export class RtpAttacker {
  cameBack = 0;
  #sequence = 0;

  private constructor(private readonly socket: Socket) {
    socket.on('message', () => {
      this.cameBack += 1;
    });
    socket.on('error', () => {});
  }

  static async open(address: string): Promise<RtpAttacker> {
    const socket = createSocket('udp4');
    socket.bind(0, address);
    await once(socket, 'listening');
    return new RtpAttacker(socket);
  }

  /** Four small packets to every port (CVE-2017-14099): who answers one has given a call away. */
  async bleed(low: number, high: number): Promise<void> {
    for (let round = 0; round < 4; round += 1) {
      for (let port = low; port <= high; port += 1) this.#send(this.#packet(0, Buffer.alloc(4, 0xff)), port);
      await sleep(50);
    }
  }

  /** A loud tone at the pace of a phone. */
  async inject(port: number, ssrc: number, ms: number): Promise<void> {
    for (const endMs = performance.now() + ms; performance.now() < endMs; await sleep(20)) {
      this.#send(this.#packet(ssrc, TONE_BYTES), port);
    }
  }

  /** Half a tone, half noise, 5,000 packets a second. */
  async flood(port: number, ssrc: number, ms: number): Promise<void> {
    const startMs = performance.now();
    for (let sent = 0; performance.now() < startMs + ms; await sleep(BURST_MS)) {
      const due = ((performance.now() - startMs) * FLOOD_PER_SECOND) / 1000;
      for (let left = BURST_MAX; left > 0 && sent < due; left -= 1, sent += 1) {
        const noise = randomBytes([1, 12, 172, 1400][(sent >> 1) % 4]!);
        this.#send(sent % 2 === 0 ? this.#packet(ssrc, TONE_BYTES) : noise, port);
      }
    }
  }

  /** Headers cut short, of other versions and with lies about lengths; RTCP; keys that nobody pressed. */
  async junk(port: number, ssrc: number): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      for (const datagram of this.#junk(ssrc)) {
        this.#send(datagram, port);
        await sleep(1);
      }
    }
  }

  close(): void {
    this.socket.close();
  }

  #junk(ssrc: number): Buffer[] {
    const good = this.#packet(ssrc, TONE_BYTES);
    const changed = (first: number, ...tail: number[]): Buffer =>
      Buffer.concat([Buffer.of(first), good.subarray(1, 12), Buffer.from(tail)]);
    const rtcp = Buffer.from('81cb000100000000', 'hex');
    rtcp.writeUInt32BE(ssrc, 4);
    const keys = [...Array(16).keys(), 255].flatMap((key) =>
      [1, 2, 400].map((steps) =>
        this.#packet(ssrc, Buffer.of(key, 10, ((160 * steps) >> 8) & 255, (160 * steps) & 255), 101),
      ),
    );
    return [
      ...[Buffer.alloc(0), Buffer.of(0x80), Buffer.of(0x80, 0, 0, 0)],
      ...[changed(0), changed(0xc0), changed(0x8f, 1, 2), changed(0xa0, 0xff), changed(0xa0, 0)],
      ...[changed(0x90, 0, 0, 0xff, 0xff), this.#packet(ssrc, Buffer.alloc(60_000, 0xff))],
      ...[this.#packet(ssrc, TONE_BYTES, 127), this.#packet(ssrc, Buffer.of(0x40), 13)],
      ...[Buffer.from('80c8000100000000', 'hex'), rtcp, Buffer.from('80c8ffff', 'hex'), randomBytes(300)],
      ...keys,
    ];
  }

  #packet(ssrc: number, payload: Buffer, payloadType = 0): Buffer {
    this.#sequence = (this.#sequence + 1) & 0xffff;
    const packet = Buffer.alloc(12 + payload.length);
    writeRtpHeader(packet, payloadType, false, this.#sequence, (this.#sequence * 160) >>> 0, ssrc);
    packet.set(payload, 12);
    return packet;
  }

  #send(datagram: Buffer, port: number): void {
    this.socket.send(datagram, port, '127.0.0.1');
  }
}

/** A tone of 2000 Hz is the same in every packet of 20 ms. */
const TONE_BYTES = (() => {
  const payload = Buffer.alloc(160);
  CODECS.PCMU.encoder().encode(tone(STRANGE_HZ, 160), payload, 0);
  return payload;
})();
