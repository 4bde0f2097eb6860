/** The payload of one telephone-event packet (RFC 4733 §2.3). */
export interface DtmfEventPacket {
  readonly event: number; // 0..255; 0..15 are digits
  readonly end: boolean;
  readonly volume: number; // -dBm0, 0..63
  readonly duration: number; // uint16, timestamp units since the event's start
}

export const DTMF_DIGITS = '0123456789*#ABCD';
export const DTMF_PAYLOAD_BYTES = 4;

/** @returns undefined when too short to be an event. Bytes after the first four are ignored. */
export function parseDtmfEvent(payload: Uint8Array): DtmfEventPacket | undefined {
  if (payload.length < DTMF_PAYLOAD_BYTES) return undefined;
  const flags = payload[1] as number;
  return {
    event: payload[0] as number,
    end: flags >= 0x80,
    volume: flags & 0x3f,
    duration: ((payload[2] as number) << 8) | (payload[3] as number),
  };
}

export function writeDtmfEvent(into: Uint8Array, at: number, packet: DtmfEventPacket): void {
  into[at] = packet.event;
  into[at + 1] = (packet.end ? 0x80 : 0) | packet.volume;
  into[at + 2] = packet.duration >>> 8;
  into[at + 3] = packet.duration;
}

/** Event number of a key, or -1. Lower-case a-d count. */
export function dtmfEventOf(key: string): number {
  return key.length === 1 ? DTMF_DIGITS.indexOf(key.toUpperCase()) : -1;
}
