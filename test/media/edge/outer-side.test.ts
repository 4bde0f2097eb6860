import { describe, expect, it } from 'vitest';
import { offerTo, readOuterSide, sideOf } from '../../../src/media/edge/outer-side.ts';
import { sdpText } from '../../support/sdp-texts.ts';

describe('how the outer side is spoken to', () => {
  it.each([
    { name: 'plain', media: ['m=audio 4000 RTP/AVP 0'], is: sideOf('rtp') },
    { name: 'keys beside it', media: ['m=audio 4000 RTP/AVP 0', 'a=crypto:1 A inline:x'], is: sideOf('osrtp') },
    { name: 'SDES', media: ['m=audio 4000 RTP/SAVP 0', 'a=crypto:1 A inline:x'], is: sideOf('sdes') },
    {
      name: 'a browser',
      media: ['m=audio 9 UDP/TLS/RTP/SAVPF 0', 'a=rtcp-mux', 'a=ice-ufrag:x', 'a=fingerprint:sha-256 A'],
      is: sideOf('webrtc'),
    },
    {
      name: 'its second stream, where the first is switched off',
      media: ['m=audio 0 RTP/SAVP 0', 'a=crypto:1 A inline:x', 'm=audio 4000 RTP/AVP 0'],
      is: sideOf('rtp'),
    },
  ])('is read: $name', ({ media, is }) => {
    for (const eol of ['\n', '\r\n']) expect(readOuterSide(sdpText({ media }, eol))).toEqual(is);
  });

  it('what stands for the session stands for its audio', () => {
    const sdp = sdpText({
      session: ['c=IN IP4 192.0.2.10', 'a=fingerprint:sha-256 A', 'a=ice-ufrag:x'],
      media: ['m=audio 9 UDP/TLS/RTP/SAVPF 0', 'a=rtcp-mux'],
    });
    expect(readOuterSide(sdp)).toEqual(sideOf('webrtc'));
  });

  it('SDES without DTLS beside it, and the other way round', () => {
    expect(offerTo(sideOf('sdes'))).toMatchObject({ DTLS: 'off' });
    expect(offerTo(sideOf('dtls'))).toMatchObject({ DTLS: undefined, SDES: ['off'], 'rtcp-mux': ['offer'] });
  });
});
