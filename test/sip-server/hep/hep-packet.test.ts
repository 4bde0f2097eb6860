import { describe, expect, it } from 'vitest';
import { encodeHep, type HepMessage } from '../../../src/sip-server/hep/hep-packet.ts';
import { readHep } from '../../support/hep-reader.ts';

const AT = new Date('2026-11-26T10:00:00.123Z');
const message = (over: Partial<HepMessage> = {}): HepMessage => ({
  source: { address: '192.0.2.1', port: 5060 },
  destination: { address: '198.51.100.255', port: 65_535 },
  ...{ overUdp: true, at: AT, captureId: 4_294_967_295, payload: Buffer.from('OPTIONS \u00ff', 'latin1') },
  ...over,
});

describe('encodeHep', () => {
  it('is read back', () => {
    expect(readHep(encodeHep(message({ password: 'sésame' }))!)).toEqual({
      ...{ family: 2, protocol: 17, source: '192.0.2.1:5060', destination: '198.51.100.255:65535' },
      ...{
        atMs: AT.getTime(),
        payloadType: 1,
        captureId: 4_294_967_295,
        password: 'sésame',
        payload: 'OPTIONS \u00ff',
      },
    });
  });

  it('has IPv6, TCP, and both families at once', () => {
    const far = { address: '2001:db8::1', port: 1 };
    expect(readHep(encodeHep(message({ destination: far, source: far, overUdp: false }))!)).toMatchObject({
      ...{ family: 10, protocol: 6, source: '20010db8000000000000000000000001:1', password: undefined },
    });
    expect(readHep(encodeHep(message({ destination: far }))!)).toMatchObject({
      source: '00000000000000000000ffffc0000201:5060',
    });
  });

  it('leaves out what does not fit into 65,535 bytes, and nothing less', () => {
    const empty = encodeHep(message({ payload: Buffer.alloc(0) }))!.length;
    expect(encodeHep(message({ payload: Buffer.alloc(65_535 - empty) }))).toHaveLength(65_535);
    expect(encodeHep(message({ payload: Buffer.alloc(65_536 - empty) }))).toBeUndefined();
  });
});
