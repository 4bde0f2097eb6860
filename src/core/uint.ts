/** Arithmetic of wrapping wire counters (RTP sequence and timestamp, RSeq). */

export const uint16 = (n: number): number => n & 0xffff;
export const uint32 = (n: number): number => n >>> 0;

/** Signed distance from `from` to `to` on the 16-bit circle: -32768..32767 (RFC 1982). */
export function distance16(from: number, to: number): number {
  return ((to - from) << 16) >> 16;
}

/** Signed distance on the 32-bit circle. */
export function distance32(from: number, to: number): number {
  return (to - from) | 0;
}
