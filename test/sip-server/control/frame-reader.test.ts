import { describe, expect, it } from 'vitest';
import { FRAME_BYTES_MAX, FrameReader } from '../../../src/sip-server/control/frame-reader.ts';
import { frameTime, writeFrame } from '../../../src/sip-server/control/frame-writer.ts';

const frame = (payload: string): Buffer => Buffer.from(`${Buffer.byteLength(payload)}#${payload}`);

describe('FrameReader', () => {
  const payloads = ['id|ping', 'مرحبا بالعالم 🎈', 'a#b#c', `x${'y'.repeat(5_000)}`];
  const stream = Buffer.concat(payloads.map(frame));

  it.each([1, 2, 3, 7, 64, 4_096, stream.length])('gives the same frames in segments of %i bytes', (size) => {
    const reader = new FrameReader();
    const got: string[] = [];
    for (let at = 0; at < stream.length; at += size) {
      const result = reader.push(stream.subarray(at, at + size));
      expect(typeof result).not.toBe('string');
      got.push(...result);
    }
    expect(got).toEqual(payloads);
  });

  it.each([
    { name: 'no digits', bytes: '#x', reject: 'bad-length' },
    { name: 'letters', bytes: 'abc#x', reject: 'bad-length' },
    { name: 'negative', bytes: '-5#x', reject: 'bad-length' },
    { name: 'leading space', bytes: ' 5#xxxxx', reject: 'bad-length' },
    { name: 'six digits', bytes: '100000#', reject: 'bad-length' },
    { name: 'digits without end', bytes: '123456', reject: 'bad-length' },
    { name: 'zero', bytes: '0#', reject: 'zero-length' },
    { name: 'line end after a frame', bytes: '2#ok\r\n2#ok', reject: 'bad-length' },
  ])('refuses $name, and stays refused', ({ bytes, reject }) => {
    const reader = new FrameReader();
    expect(reader.push(Buffer.from(bytes))).toBe(reject);
    expect(reader.push(frame('fine'))).toBe(reject);
  });

  it('takes the largest frame', () => {
    const payload = 'x'.repeat(FRAME_BYTES_MAX);
    expect(new FrameReader().push(frame(payload))).toEqual([payload]);
  });
});

describe('writeFrame', () => {
  it('counts bytes, not characters, and is read back', () => {
    const bytes = writeFrame(['id', 'sip', ''], 'نداء');
    expect(bytes?.toString()).toBe('17#id|sip|\r\nنداء');
    expect(new FrameReader().push(bytes ?? Buffer.alloc(0))).toEqual(['id|sip|\r\nنداء']);
  });
  it.each([['a|b'], ['a\r\nb'], ['a\nb']])('keeps %j from shifting later tokens', (token) => {
    const text = writeFrame(['id', token, 'last'])?.toString() ?? '';
    expect(text.split('#')[1]?.split('|')).toHaveLength(3);
    expect(text).not.toContain('\n');
  });
  it('refuses what the peer would drop the connection for', () => {
    expect(writeFrame(['id'], 'x'.repeat(FRAME_BYTES_MAX))).toBeUndefined();
  });
  it('stamps UTC time of day with six decimals', () => {
    expect(frameTime(new Date(Date.UTC(2026, 10, 20, 9, 36, 32, 604)))).toBe('09:36:32.604000');
  });
});
