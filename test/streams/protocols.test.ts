import { describe, expect, it } from 'vitest';
import { decodeMulaw, encodeMulaw } from '../../src/audio/g711.ts';
import { callEnd } from '../../src/call/call-end.ts';
import { TALK_ERRORS } from '../../src/core/talk-errors.ts';
import { AsteriskProtocol } from '../../src/streams/asterisk-protocol.ts';
import type { StreamMessage, StreamProtocol } from '../../src/streams/stream-protocol.ts';
import { TalkProtocol } from '../../src/streams/talk-protocol.ts';
import { TwilioProtocol } from '../../src/streams/twilio-protocol.ts';
import { tone } from '../support/tones.ts';

const text = (protocol: StreamProtocol, frame: string | object): StreamMessage =>
  protocol.read(Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame)), false);
const bytes = (samples: Int16Array): Buffer => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
const frames = [tone(1000, 160), tone(1000, 160, { from: 160 })] as const;

const talk = (variables = {}, hearingRateHz = 8000): TalkProtocol =>
  new TalkProtocol(() => ({ sessionId: 'str_1', agentId: 'agt_1', from: 'web', variables, hearingRateHz }));

const TWILIO_START = {
  event: 'start',
  sequenceNumber: '1',
  start: {
    ...{ accountSid: 'AC1', streamSid: 'MZ1', callSid: 'CA1', tracks: ['inbound'] },
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
    customParameters: { To: '+966110000000', From: '+966500000001', tier: 'gold', 'not a name': 'x' },
  },
  streamSid: 'MZ1',
};
const ASTERISK_START =
  'MEDIA_START connection_id:nidaa channel:WebSocket/nidaa/0x1 channel_id:1700000000.1 format:ulaw optimal_frame_size:160 ptime:20';

describe('the talk protocol', () => {
  it.each([
    { name: 'defaults', frame: {}, rate: 16_000, input: 16_000 },
    { name: 'telephone rate', frame: { sample_rate: 8000 }, rate: 8000, input: 8000 },
    { name: 'wideband', frame: { sample_rate: 16_000 }, rate: 16_000, input: 16_000 },
    {
      name: 'wideband of the caller',
      frame: { sample_rate: 8000, input_sample_rate: 16_000 },
      ...{ rate: 8000, input: 16_000 },
    },
    { name: 'wideband of the agent', frame: { input_sample_rate: 8000 }, rate: 16_000, input: 8000 },
  ])('starts with $name and says so', ({ frame, rate, input }) => {
    const protocol = talk();
    const started = text(protocol, { type: 'start', ...frame });
    expect(started).toMatchObject({ type: 'start', start: { from: 'web', called: 'agt_1' } });
    expect(JSON.parse(protocol.answered('call_1')[0]!)).toEqual({
      ...{ type: 'opened', call_id: 'call_1', sample_rate: rate, input_sample_rate: input, encoding: 'pcm' },
    });
    expect(protocol.audio(frames[0])).toHaveLength((2 * rate) / 50);
    const said = tone(1000, input / 50, { rateHz: input });
    expect(protocol.read(bytes(said), true)).toEqual({ type: 'audio', samples: said });
    expect(protocol.inputRateHz).toBe(input);
  });

  it.each([8000, 16_000])('says before the start that its caller is heard at %i', (hearingRateHz) => {
    expect(JSON.parse(talk({}, hearingRateHz).welcome())).toEqual({
      ...{ type: 'authenticated', session_id: 'str_1', input_sample_rate: hearingRateHz },
    });
  });

  it('lets a page change no variable that came with the token', () => {
    const started = text(talk({ plan: 'free' }), { type: 'start', variables: { plan: 'gold', name: 'Noura' } });
    expect(started).toMatchObject({ start: { variables: { plan: 'free', name: 'Noura' } } });
  });

  it.each([
    ['not JSON', '{', 'invalid_frame'],
    ['no object', '[]', 'invalid_frame'],
    ['no type', '{}', 'invalid_frame'],
    ['another rate', { type: 'start', sample_rate: 44_100 }, 'invalid_sample_rate'],
    ['a rate as text', { type: 'start', sample_rate: '8000' }, 'invalid_sample_rate'],
    ['another rate of the caller', { type: 'start', input_sample_rate: 48_000 }, 'invalid_sample_rate'],
    ['a variable that is no text', { type: 'start', variables: { a: 1 } }, 'invalid_frame'],
    ['a name that is none', { type: 'start', variables: { 'a b': 'x' } }, 'invalid_frame'],
    ['a prototype', '{"type":"start","variables":{"__proto__":{"a":"b"}}}', 'invalid_frame'],
    ['no keys', { type: 'dtmf', digits: 'hello' }, 'invalid_frame'],
    ['too many keys', { type: 'dtmf', digits: '1'.repeat(33) }, 'invalid_frame'],
    ['a mark without a name', { type: 'mark' }, 'invalid_frame'],
    ['much text', `{"type":"x","a":"${'a'.repeat(200_000)}"}`, 'frame_too_large'],
  ])('refuses %s', (_name, frame, code) => {
    expect(text(talk(), frame)).toEqual({ type: 'fault', fault: { code } });
  });

  it('understands the rest, and ignores what newer clients say', () => {
    const protocol = talk();
    expect(text(protocol, { type: 'dtmf', digits: '12#' })).toEqual({ type: 'keys', digits: '12#' });
    expect(text(protocol, { type: 'mark', name: 'nidaa-1' })).toEqual({ type: 'mark', name: 'nidaa-1' });
    expect(text(protocol, { type: 'end' })).toEqual({ type: 'stop' });
    expect(text(protocol, { type: 'wave' })).toEqual({ type: 'nothing' });
    expect(protocol.read(Buffer.alloc(32_001), true)).toMatchObject({ fault: { code: 'frame_too_large' } });
  });

  it('carries half a sample over to the next frame', () => {
    const protocol = talk();
    text(protocol, { type: 'start', sample_rate: 8000 });
    const all = bytes(Int16Array.of(1, -2, 300));
    const parts = [all.subarray(0, 3), all.subarray(3, 4), all.subarray(4)].map((part) => protocol.read(part, true));
    expect(parts.flatMap((part) => (part.type === 'audio' ? [...part.samples] : []))).toEqual([1, -2, 300]);
  });

  it('tells a refused call as an error, and one that was as its end', () => {
    const refused = talk().ended(callEnd('gateway', 'no-credit'), undefined);
    expect(JSON.parse(String(refused.frames[0]))).toMatchObject({ error: { code: 'insufficient_credit' } });
    expect(refused.code).toBe(TALK_ERRORS.insufficient_credit);
    const ended = talk().ended(callEnd('agent', 'agent-hangup'), { seconds: 3.2 });
    expect(JSON.parse(String(ended.frames[0]))).toEqual({
      ...{ type: 'ended', party: 'agent', reason: 'agent-hangup', seconds: 3.2 },
    });
    expect(ended.code).toBe(1000);
  });
});

describe('the Twilio protocol', () => {
  it('takes numbers and variables from the parameters', () => {
    expect(text(new TwilioProtocol(), TWILIO_START)).toEqual({
      type: 'start',
      start: { streamId: 'CA1', from: '+966500000001', called: '+966110000000', variables: { tier: 'gold' } },
    });
  });

  it('reads and writes mu-law in base64', () => {
    const protocol = new TwilioProtocol();
    text(protocol, TWILIO_START);
    const payload = Buffer.from(encodeMulaw(frames[0])).toString('base64');
    const heard = text(protocol, { event: 'media', media: { track: 'inbound', payload }, streamSid: 'MZ1' });
    expect(heard).toEqual({ type: 'audio', samples: decodeMulaw(Buffer.from(payload, 'base64')) });
    expect(JSON.parse(protocol.audio(frames[0]))).toEqual({ event: 'media', streamSid: 'MZ1', media: { payload } });
    expect(JSON.parse(protocol.mark('m'))).toEqual({ event: 'mark', streamSid: 'MZ1', mark: { name: 'm' } });
    expect(JSON.parse(protocol.clear())).toEqual({ event: 'clear', streamSid: 'MZ1' });
  });

  it.each([
    [{ event: 'connected', protocol: 'Call', version: '1.0.0' }, { type: 'nothing' }],
    [
      { event: 'dtmf', dtmf: { track: 'inbound_track', digit: '5' } },
      { type: 'keys', digits: '5' },
    ],
    [
      { event: 'mark', mark: { name: 'nidaa-3' } },
      { type: 'mark', name: 'nidaa-3' },
    ],
    [{ event: 'stop', stop: { callSid: 'CA1' } }, { type: 'stop' }],
    [{ event: 'media', media: { track: 'outbound', payload: 'AAAA' } }, { type: 'nothing' }],
    [{ event: 'media', media: 7 }, { type: 'nothing' }],
    [{ event: 'start', start: { streamSid: 'MZ1', mediaFormat: { encoding: 'audio/opus' } } }, { type: 'fault' }],
    ['{', { type: 'nothing' }],
  ])('understands %j', (frame, message) => {
    expect(text(new TwilioProtocol(), frame)).toMatchObject(message);
  });
});

describe('the Asterisk protocol', () => {
  const parameters = new Map([
    ['from', '+966500000001'],
    ['to', '1000'],
    ['queue', 'sales'],
  ]);
  const started = { streamId: '1700000000.1', from: '+966500000001', called: '1000' };

  it('speaks words to whoever speaks words', () => {
    const protocol = new AsteriskProtocol(parameters);
    expect(text(protocol, ASTERISK_START)).toEqual({
      type: 'start',
      start: { ...started, variables: { queue: 'sales' } },
    });
    expect([...protocol.answered(), protocol.mark('m'), protocol.clear()]).toEqual([
      'ANSWER',
      'MARK_MEDIA m',
      'FLUSH_MEDIA',
    ]);
    expect(protocol.ended({ reason: 'agent-hangup' }).frames).toEqual(['HANGUP']);
    expect(text(protocol, 'MEDIA_MARK_PROCESSED nidaa-4')).toEqual({ type: 'mark', name: 'nidaa-4' });
    expect(text(protocol, 'DTMF_END digit:7 channel_id:1700000000.1')).toEqual({ type: 'keys', digits: '7' });
    expect([text(protocol, 'MEDIA_XOFF'), text(protocol, 'MEDIA_XON')]).toEqual([
      { type: 'pause' },
      { type: 'resume' },
    ]);
    expect(text(protocol, 'QUEUE_DRAINED')).toEqual({ type: 'nothing' });
  });

  it('speaks JSON to whoever speaks JSON', () => {
    const protocol = new AsteriskProtocol(parameters);
    const start = {
      ...{ event: 'MEDIA_START', connection_id: 'nidaa', channel_id: '1700000000.1', format: 'slin16' },
      ...{ optimal_frame_size: 640, ptime: 20, channel_variables: { DIALSTATUS: 'ANSWER' } },
    };
    expect(text(protocol, start)).toMatchObject({ start: { ...started, variables: { DIALSTATUS: 'ANSWER' } } });
    expect([...protocol.answered(), protocol.mark('m')].map((frame) => JSON.parse(String(frame)))).toEqual([
      ...[{ command: 'ANSWER' }, { command: 'MARK_MEDIA', correlation_id: 'm' }],
    ]);
    expect(protocol.audio(frames[0])).toHaveLength(640);
    const marked = text(protocol, { event: 'MEDIA_MARK_PROCESSED', channel_id: '1', correlation_id: 'nidaa-1' });
    expect(marked).toEqual({ type: 'mark', name: 'nidaa-1' });
    expect(text(protocol, { event: 'DTMF_END', channel_id: '1', digit: '#' })).toEqual({ type: 'keys', digits: '#' });
  });

  it.each(['ulaw', 'alaw', 'slin'])('carries %s', (format) => {
    const protocol = new AsteriskProtocol(parameters);
    text(protocol, ASTERISK_START.replace('ulaw', format));
    const back = protocol.read(protocol.audio(frames[0]), true);
    const samples = back.type === 'audio' ? back.samples : new Int16Array();
    expect(Math.max(...samples.map((sample, i) => Math.abs(sample - frames[0][i]!)))).toBeLessThan(400);
    expect(protocol.codec).toBe(format);
  });

  it.each([
    [160, 'ulaw'],
    [640, 'slin16'],
  ])('knows the format of an early release by frames of %i bytes', (size, format) => {
    const protocol = new AsteriskProtocol(parameters);
    const start = `MEDIA_START connection_id:nidaa channel:WebSocket/nidaa/0x1 optimal_frame_size:${size}`;
    expect(text(protocol, start)).toMatchObject({ start: { streamId: 'WebSocket/nidaa/0x1' } });
    expect(protocol.codec).toBe(format);
  });

  it('refuses a format that it does not speak, and a start without a channel', () => {
    expect(text(new AsteriskProtocol(parameters), ASTERISK_START.replace('ulaw', 'opus'))).toMatchObject({
      type: 'fault',
    });
    expect(text(new AsteriskProtocol(parameters), 'MEDIA_START format:ulaw')).toMatchObject({ type: 'fault' });
  });
});
