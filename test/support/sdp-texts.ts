/** Builds session descriptions for tests; every part can be replaced or broken. */
export interface SdpParts {
  readonly version?: string;
  readonly origin?: string;
  readonly session?: readonly string[];
  readonly media?: readonly string[];
}

export function sdpText(parts: SdpParts = {}, eol = '\r\n'): string {
  const lines = [
    parts.version ?? 'v=0',
    parts.origin ?? 'o=alice 1 1 IN IP4 192.0.2.10',
    's=-',
    ...(parts.session ?? ['c=IN IP4 192.0.2.10']),
    't=0 0',
    ...(parts.media ?? ['m=audio 4000 RTP/AVP 0 8 101', 'a=rtpmap:101 telephone-event/8000', 'a=fmtp:101 0-16']),
  ];
  return lines.join(eol) + eol;
}
