import { describe, expect, it } from 'vitest';
import { sniffAudio } from '../../src/api/audio-type.ts';
import { bearerToken } from '../../src/api/auth.ts';
import { exceeds, firstCharacters, shown } from '../../src/api/characters.ts';
import { cutPoints } from '../../src/api/clip-transcriber.ts';
import { DOCX, documentType } from '../../src/api/document-type.ts';
import { acceptedFormat, SPEECH_FORMATS, STREAM_FORMATS, wantsEvents } from '../../src/api/formats.ts';
import { readHistory } from '../../src/api/history.ts';
import { recognisedLanguage } from '../../src/api/recognised-language.ts';
import { SocketTokens } from '../../src/api/socket-tokens.ts';
import { withIdle } from '../../src/api/speech-events.ts';
import { TokenBuckets } from '../../src/api/token-bucket.ts';
import { FakeClock } from '../support/fake-clock.ts';

describe('characters are code points', () => {
  it.each([
    { text: '', max: 0, first: '', truncated: false },
    { text: 'abc', max: 3, first: 'abc', truncated: false },
    { text: 'abcd', max: 3, first: 'abc', truncated: true },
    { text: '😀😀', max: 2, first: '😀😀', truncated: false },
    { text: '😀😀😀', max: 2, first: '😀😀', truncated: true },
    { text: 'مَرْحَبًا', max: 4, first: 'مَرْ', truncated: true },
    { text: 'a\ud800b', max: 2, first: 'a\ud800', truncated: true },
  ])('$text, $max', ({ text, max, first, truncated }) => {
    expect(firstCharacters(text, max)).toEqual({ text: first, truncated });
    expect(exceeds(text, max)).toBe(truncated);
  });
  it('shows a client its own word on one harmless line', () => {
    expect(shown('a\r\nb\u202e\u0000c')).toBe('abc');
    expect(shown('x'.repeat(500))).toHaveLength(100);
    expect(shown('a\ud800')).toBe('a\ufffd');
  });
});

describe('Accept', () => {
  it.each([
    { accept: undefined, format: undefined },
    { accept: '*/*', format: undefined },
    { accept: 'audio/wav', format: 'wav' },
    { accept: 'AUDIO/X-WAV; q=0.3', format: 'wav' },
    { accept: 'audio/ogg;q=0.2, audio/basic;q=0.9', format: 'mulaw' },
    { accept: 'audio/ogg, audio/mpeg', format: 'opus' },
    { accept: 'audio/mpeg;q=0', format: undefined },
    { accept: 'audio/mpeg;q=x, audio/wav;q=0.1', format: 'wav' },
    { accept: 'text/html, audio/flac', format: undefined },
    { accept: ','.repeat(100_000), format: undefined },
  ])('$accept -> $format', ({ accept, format }) => {
    expect(acceptedFormat(accept, SPEECH_FORMATS)).toBe(format);
  });
  it('streams no mp3, and events when asked', () => {
    expect(acceptedFormat('audio/mpeg', STREAM_FORMATS)).toBeUndefined();
    expect(wantsEvents('text/event-stream')).toBe(true);
    expect(wantsEvents('audio/wav, Text/Event-Stream;q=0.5')).toBe(true);
    expect(wantsEvents('text/event-stream;q=0')).toBe(false);
    expect(wantsEvents(undefined)).toBe(false);
  });
});

describe('the token bucket', () => {
  it('lets a burst through, then the rate, and says how much is left', () => {
    const buckets = new TokenBuckets({ perMinute: 600, burst: 3 });
    const takes = (nowMs: number) => buckets.take('a', nowMs);
    expect([takes(0), takes(0), takes(0)].map((one) => [one.allowed, one.remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
    ]);
    expect(takes(0)).toEqual({ allowed: false, limit: 3, remaining: 0, resetSeconds: 1, retrySeconds: 1 });
    expect(takes(99).allowed).toBe(false);
    expect(takes(100).allowed).toBe(true);
    expect(takes(100).allowed).toBe(false);
    expect(takes(60_000).remaining).toBe(2);
    expect(buckets.take('b', 60_000).remaining).toBe(2);
  });
  it('goes by the rule of a client that has its own, and looks without taking', () => {
    const buckets = new TokenBuckets({ perMinute: 600, burst: 3 });
    const own = { perMinute: 60, burst: 1 };
    expect(buckets.look('a', 0, own)).toMatchObject({ allowed: true, limit: 1, remaining: 0 });
    expect(buckets.take('a', 0, own).allowed).toBe(true);
    expect(buckets.look('a', 0, own)).toMatchObject({ allowed: false, retrySeconds: 1 });
    expect(buckets.take('a', 999, own).allowed).toBe(false);
    expect(buckets.look('a', 1_000, own).allowed).toBe(true);
    expect(buckets.take('a', 1_000, { perMinute: 60, burst: 2 }).remaining, 'a wider rule leaves more').toBe(1);
  });
  it('remembers a bounded number of clients', () => {
    const buckets = new TokenBuckets({ perMinute: 1, burst: 1 }, 10);
    for (let i = 0; i < 1_000; i += 1) buckets.take(String(i), 0);
    expect(buckets.size).toBe(10);
  });
});

describe('socket tokens', () => {
  const identity = { tokenId: 'tok', accountId: 'acc' };
  it('open one socket each, for a minute', () => {
    const clock = new FakeClock();
    const tokens = new SocketTokens(clock);
    const { token, expiresAt } = tokens.issue(identity);
    expect(token).toMatch(/^service_st_[0-9A-Za-z]{43}$/);
    expect(expiresAt.getTime() - clock.utc().getTime()).toBe(60_000);
    expect(tokens.redeem(`${token}x`)).toBeUndefined();
    expect(tokens.redeem(token)).toEqual(identity);
    expect(tokens.redeem(token)).toBeUndefined();
    const late = tokens.issue(identity);
    clock.advance(60_000);
    expect(tokens.redeem(late.token)).toBeUndefined();
  });
  it('are bounded, and expired ones leave', () => {
    const clock = new FakeClock();
    const tokens = new SocketTokens(clock, 3);
    const first = tokens.issue(identity);
    for (let i = 0; i < 3; i += 1) tokens.issue(identity);
    expect(tokens.size).toBe(3);
    expect(tokens.redeem(first.token)).toBeUndefined();
    clock.advance(61_000);
    tokens.issue(identity);
    expect(tokens.size).toBe(1);
  });
});

describe('bearerToken', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['Bearer', undefined],
    ['Bearer a', 'a'],
    ['bEARER   a ', 'a'],
    ['Bearer a b', undefined],
    ['Token a', undefined],
  ])('%s -> %s', (header, token) => expect(bearerToken(header)).toBe(token));
});

describe('languages of transcription', () => {
  it.each([
    ['ar-SA', 'ar-SA'],
    ['ar', 'ar-SA'],
    ['AR_eg', 'ar-EG'],
    ['ar-OM', 'ar-OM'],
    ['en', 'en-US'],
    ['en-gb', 'en-GB'],
    ['en-AU', undefined],
    ['fr-FR', undefined],
    ['arabic', undefined],
    ['ar-SAU', undefined],
    ['', undefined],
  ])('%s -> %s', (tag, language) => expect(recognisedLanguage(tag)).toBe(language));
});

describe('the history', () => {
  const roles = (turns: Parameters<typeof readHistory>[0]) => readHistory(turns).turns.map((turn) => turn.role);
  it('alternates backwards from the agent when nobody says who spoke', () => {
    expect(roles([{ text: 'a' }, { text: 'b' }, { text: 'c' }])).toEqual(['agent', 'caller', 'agent']);
    expect(roles([{ text: 'a' }])).toEqual(['agent']);
  });
  it('takes roles in both vocabularies, and fills gaps from what follows', () => {
    expect(
      roles([
        { text: 'a', role: 'user' },
        { text: 'b', role: 'assistant' },
      ]),
    ).toEqual(['caller', 'agent']);
    expect(roles([{ text: 'a' }, { text: 'b', role: 'caller' }, { text: 'c' }])).toEqual(['agent', 'caller', 'agent']);
  });
  it('keeps the last 20 turns and the first 4,000 characters of each', () => {
    const many = Array.from({ length: 25 }, (_, i) => ({ text: String(i) }));
    expect(readHistory(many).turns.map((turn) => turn.text)).toEqual(many.slice(5).map((turn) => turn.text));
    expect(readHistory(many).truncated).toBe(true);
    expect(readHistory([{ text: 'x'.repeat(4_001) }]).turns[0]!.text).toHaveLength(4_000);
    expect(readHistory([{ text: ' ' }, { text: 'a' }]).turns).toEqual([{ role: 'agent', text: 'a' }]);
  });
});

describe('types of uploads', () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  it.each([
    ['RIFF\x10\x00\x00\x00WAVEfmt ', 'wav'],
    ['OggS\x00', 'ogg'],
    ['fLaC\x00', 'flac'],
    ['\x1aE\xdf\xa3\x01', 'webm'],
    ['ID3\x04', 'mp3'],
    ['\xff\xfb\x90', 'mp3'],
    ['\xff\xf1\x50', undefined], // AAC in ADTS
    ['RIFF\x10\x00\x00\x00AVI ', undefined],
    ['', undefined],
    ['hello', undefined],
  ])('audio %j -> %s', (head, type) => expect(sniffAudio(bytes(head))).toBe(type));
  it.each([
    { head: '%PDF-1.7', mediaType: undefined, filename: undefined, type: 'application/pdf' },
    { head: 'hello', mediaType: 'application/pdf', filename: undefined, type: 'application/pdf' },
    { head: 'PK\x03\x04', mediaType: undefined, filename: 'a.docx', type: DOCX },
    { head: 'PK\x03\x04', mediaType: undefined, filename: 'a.md', type: undefined },
    { head: '# a', mediaType: 'application/octet-stream', filename: 'a.md', type: 'text/markdown' },
    { head: '# a', mediaType: 'text/html; charset=utf-8', filename: 'a.md', type: 'text/html' },
    { head: 'hello', mediaType: undefined, filename: undefined, type: 'text/plain' },
    { head: 'a\x00b', mediaType: undefined, filename: 'a.txt', type: undefined },
    { head: '\xff\xfeh\x00i\x00', mediaType: 'text/plain', filename: 'a.txt', type: 'text/plain' },
    { head: '\xfe\xff\x00h\x00i', mediaType: undefined, filename: 'a.md', type: 'text/markdown' },
    {
      ...{ head: 'h\x00i\x00', filename: 'a.txt' },
      ...{ mediaType: 'text/plain; charset="UTF-16LE"', type: 'text/plain; charset=utf-16le' },
    },
    { head: 'hello', mediaType: 'image/png', filename: 'a.txt', type: undefined },
  ])('document $head, $mediaType, $filename -> $type', ({ head, type, ...file }) => {
    expect(documentType({ bytes: bytes(head), ...file })).toBe(type);
  });
});

describe('a clip', () => {
  it('is cut where it is quiet, into pieces a recogniser takes', () => {
    const rate = 8_000;
    const samples = new Int16Array(rate * 20).fill(5_000);
    samples.fill(0, rate * 7, rate * 7.5);
    samples.fill(0, rate * 13, rate * 13.5);
    const cuts = cutPoints(samples, rate);
    expect(cuts).toHaveLength(2);
    expect(cuts[0]! / rate).toBeGreaterThan(7);
    expect(cuts[0]! / rate).toBeLessThan(7.5);
    expect(cuts[1]! / rate).toBeGreaterThan(13);
    expect(cuts[1]! / rate).toBeLessThan(13.5);
  });
  it.each([0, 0.01, 9, 60])('of %s s has no piece above nine seconds', (seconds) => {
    const samples = new Int16Array(seconds * 8_000);
    const bounds = [0, ...cutPoints(samples, 8_000), samples.length];
    for (let i = 1; i < bounds.length; i += 1) expect(bounds[i]! - bounds[i - 1]!).toBeLessThanOrEqual(9 * 8_000 + 160);
  });
});

it('withIdle says when nothing came for 15 seconds, and loses nothing', async () => {
  const clock = new FakeClock();
  let give: (value: string) => void = () => {};
  const source = async function* () {
    yield 'a';
    yield await new Promise<string>((resolve) => {
      give = resolve;
    });
  };
  const values = withIdle(source(), clock);
  expect((await values.next()).value).toBe('a');
  const waiting = values.next();
  await clock.advanceAsync(15_000, 5_000);
  expect((await waiting).value).toBe('idle');
  const last = values.next();
  give('b');
  expect((await last).value).toBe('b');
  expect((await values.next()).done).toBe(true);
});
