import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SOCKET_ERRORS } from '../../../src/api/asyncapi.ts';
import {
  closeOf,
  errorFrame,
  finalFrame,
  parseClientFrame,
  readStart,
  type SocketErrorCode,
} from '../../../src/api/transcribe-socket/frames.ts';

describe('parseClientFrame', () => {
  it.each([
    { text: '{"type":"start","sample_rate":8000}', is: 'start' },
    { text: '{"type":"stop"}', is: 'stop' },
    { text: '{"type":"stop","more":1}', is: 'stop' },
    { text: '{"type":"keepalive"}', is: 'keepalive' },
    { text: '{"type":"something-new"}', is: 'unknown' },
    { text: '{"type":"__proto__"}', is: 'unknown' },
    { text: '', is: undefined },
    { text: 'stop', is: undefined },
    { text: '"stop"', is: undefined },
    { text: 'null', is: undefined },
    { text: '[{"type":"stop"}]', is: undefined },
    { text: '{}', is: undefined },
    { text: '{"type":1}', is: undefined },
    { text: '{"type":null}', is: undefined },
    { text: '{"type":"stop"', is: undefined },
    { text: '{"__proto__":{"type":"stop"}}', is: undefined },
    { text: `${'['.repeat(50_000)}`, is: undefined },
  ])('$text', ({ text, is }) => {
    expect(parseClientFrame(text)?.type).toBe(is);
  });

  it('takes any text', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseClientFrame(text)));
  });
});

describe('readStart', () => {
  const defaults = { language: 'ar-SA', sampleRateHz: 16_000, encoding: 'pcm' };
  it.each([
    { fields: {}, is: defaults },
    { fields: { encoding: 'mulaw' }, is: { ...defaults, encoding: 'mulaw' } },
    { fields: { sample_rate: 8000 }, is: { ...defaults, sampleRateHz: 8000 } },
    { fields: { sample_rate: 48_000 }, is: { ...defaults, sampleRateHz: 48_000 } },
    { fields: { sample_rate: 11_025 }, is: { ...defaults, sampleRateHz: 11_025 } },
    { fields: { language: 'EN_us' }, is: { ...defaults, language: 'en-US' } },
    { fields: { language: 'ar' }, is: defaults },
    { fields: { language: 'ar-eg', extra: true }, is: { ...defaults, language: 'ar-EG' } },
    { fields: { sample_rate: 7999 }, is: 'invalid_sample_rate' },
    { fields: { sample_rate: 48_001 }, is: 'invalid_sample_rate' },
    { fields: { sample_rate: 16_000.5 }, is: 'invalid_sample_rate' },
    { fields: { sample_rate: '16000' }, is: 'invalid_sample_rate' },
    { fields: { sample_rate: null }, is: 'invalid_sample_rate' },
    { fields: { sample_rate: Number.POSITIVE_INFINITY }, is: 'invalid_sample_rate' },
    { fields: { language: 'fr-FR' }, is: 'unknown_language' },
    { fields: { language: 'en-AU' }, is: 'unknown_language' },
    { fields: { language: '' }, is: 'unknown_language' },
    { fields: { language: 7 }, is: 'unknown_language' },
    { fields: { encoding: 'opus' }, is: 'unknown_encoding' },
    { fields: { encoding: ['pcm'] }, is: 'unknown_encoding' },
    { fields: { encoding: 'PCM' }, is: 'unknown_encoding' },
  ])('$fields', ({ fields, is }) => {
    const start = readStart(fields);
    expect('code' in start ? start.code : start).toEqual(is);
  });
});

describe('what the server says', () => {
  const codes = Object.keys(SOCKET_ERRORS) as SocketErrorCode[];

  it.each(codes)('%s has a message, and a close frame that fits', (code) => {
    const frame = errorFrame({ code, detail: 'X$&Y' });
    expect(frame).toMatchObject({ type: 'error', error: { code } });
    const { message } = (frame as { error: { message: string } }).error;
    expect(message.length).toBeGreaterThan(10);
    expect(message).not.toContain('<detail>');
    const { code: close, reason } = closeOf({ code, reason: 'س'.repeat(500) });
    expect(close).toBe(SOCKET_ERRORS[code]);
    expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123);
  });

  it('names what it did not know, shortened', () => {
    expect(errorFrame({ code: 'unknown_language', detail: '$& fr' })).toMatchObject({
      error: { message: 'Unknown language $& fr' },
    });
    const fault = readStart({ language: 'x'.repeat(100_000) });
    expect(JSON.stringify(fault).length).toBeLessThan(200);
  });

  it.each([
    { language: 'en-US', said: 'en' },
    { language: 'AR', said: 'ar' },
    { language: undefined, said: undefined },
  ])('a final in $language', ({ language, said }) => {
    const frame = finalFrame({
      text: 'hi',
      confidence: 0.87654,
      startMs: 1239,
      endMs: 3020,
      ...(language && { language }),
    });
    expect(frame).toEqual({
      type: 'transcript',
      text: 'hi',
      final: true,
      confidence: 0.877,
      ...(said && { language: said }),
      start: 1.24,
      end: 3.02,
    });
  });
});
