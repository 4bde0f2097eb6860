/**
 * Bounds of the media settings. The config schema refuses what lies outside of them, and the constructors that rest on
 * them check the same figures: a setting that is accepted can never end a media thread.
 */

/** Depth of the jitter buffer. Its memory holds a second, of which the delay aimed at may take two fifths. */
export const JITTER_MS = { min: 10, max: 400 } as const;
/** Agent audio that may wait in one call. */
export const PLAYOUT_QUEUE_MS = { min: 200, max: 60_000 } as const;

export interface PortRange {
  readonly min: number;
  readonly max: number; // inclusive
}

/** RTP ports of a range: the even ones whose odd neighbour, for RTCP, lies in it too. Empty for what is no range. */
export function rtpPortsOf({ min, max }: PortRange): number[] {
  if (!(min >= 1 && max <= 65_535)) return [];
  const ports: number[] = [];
  for (let port = min + (min & 1); port + 1 <= max; port += 2) ports.push(port);
  return ports;
}
