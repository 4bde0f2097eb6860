import { TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ } from '../audio/pcm.ts';
import { createResampler, type Resampler } from '../audio/resampler.ts';
import type { CallEnd } from '../call/call-end.ts';
import type { CallObservation } from '../call/call-observer.ts';
import { TALK_ERRORS, talkErrorMessage } from '../core/talk-errors.ts';
import { jsonFields, textOf } from './json-frame.ts';
import { bytesOfSamples, samplesOfBytes } from './pcm-bytes.ts';
import { faultOf, type StreamFault } from './stream-fault.ts';
import type { StreamFarewell, StreamFrame, StreamMessage, StreamProtocol } from './stream-protocol.ts';
import { readVariables, type Variables } from './stream-variables.ts';

/** One second of wideband audio; longer frames are nobody's 20 to 100 ms. */
const AUDIO_BYTES_MAX = 32_000;
const TEXT_BYTES_MAX = 128 * 1024;
const KEYS = /^[0-9*#A-Da-d]{1,32}$/;
const MARK_CHARS_MAX = 64;

/** What is known of the call before its first frame. */
export interface TalkCall {
  readonly sessionId: string;
  readonly agentId: string;
  readonly from: string;
  /** Given with the token: those of the start frame do not go over them. */
  readonly variables: Variables;
  /** The best rate at which the caller can be heard: the telephone's, or wideband. */
  readonly hearingRateHz: number;
}

const json = (frame: { readonly type: string; readonly [field: string]: unknown }): string => JSON.stringify(frame);

/** The gateway's own audio socket: PCM in binary frames, JSON in text frames, both ways. */
export class TalkProtocol implements StreamProtocol {
  readonly name = 'talk';
  readonly codec = 'L16';
  readonly pings = true;
  /** Of the audio that is read, as the caller chose. */
  inputRateHz = WIDEBAND_RATE_HZ;
  #sampleRateHz = WIDEBAND_RATE_HZ; // of what the agent says
  #wantsTranscript = true;
  #oddByte: Buffer | undefined;
  #up: Resampler | undefined;

  constructor(private readonly call: () => TalkCall) {}

  read(data: Buffer, isBinary: boolean): StreamMessage {
    if (data.length > (isBinary ? AUDIO_BYTES_MAX : TEXT_BYTES_MAX)) return fault('frame_too_large');
    return isBinary ? this.#audio(data) : this.#control(data.toString('utf8'));
  }

  welcome(): string {
    const { sessionId, hearingRateHz } = this.call();
    return json({ type: 'authenticated', session_id: sessionId, input_sample_rate: hearingRateHz });
  }

  answered(callId: string): readonly string[] {
    const rates = { sample_rate: this.#sampleRateHz, input_sample_rate: this.inputRateHz };
    return [json({ type: 'opened', call_id: callId, ...rates, encoding: 'pcm' })];
  }

  audio(frame: Int16Array): Buffer {
    return bytesOfSamples(this.#up ? this.#up.push(frame) : frame);
  }
  mark(name: string): string {
    return json({ type: 'mark', name });
  }
  clear(): string {
    return json({ type: 'clear' });
  }
  keys(digits: string): string {
    return json({ type: 'dtmf', digits });
  }

  observed(observation: CallObservation): StreamFrame | undefined {
    if (observation.type === 'turn') return turnFrame(observation.turn);
    if (!this.#wantsTranscript) return undefined;
    const { type, text } = observation;
    if (type === 'says') return json({ type: 'sentence', text });
    return json({ type: 'transcript', text, final: observation.final });
  }

  refused(fault: StreamFault): StreamFarewell {
    const message = talkErrorMessage(fault.code, fault.detail);
    return {
      frames: [json({ type: 'error', error: { code: fault.code, message } })],
      ...{ code: TALK_ERRORS[fault.code], reason: fault.code },
    };
  }

  ended(end: CallEnd, answered: { readonly seconds: number } | undefined): StreamFarewell {
    if (!answered) return this.refused({ ...faultOf(end), detail: this.call().agentId });
    const frame = json({ type: 'ended', party: end.party, reason: end.reason, seconds: answered.seconds });
    return { frames: [frame], code: end.reason === 'shutdown' ? 1012 : 1000, reason: end.reason };
  }

  #audio(data: Buffer): StreamMessage {
    let bytes = this.#oddByte ? Buffer.concat([this.#oddByte, data]) : data;
    this.#oddByte = bytes.length % 2 === 1 ? Buffer.from(bytes.subarray(-1)) : undefined;
    if (this.#oddByte) bytes = bytes.subarray(0, -1);
    return { type: 'audio', samples: samplesOfBytes(bytes) };
  }

  #control(text: string): StreamMessage {
    const fields = jsonFields(text);
    if (!fields || typeof fields['type'] !== 'string') return fault('invalid_frame');
    switch (fields['type']) {
      case 'start':
        return this.#start(fields);
      case 'dtmf': {
        const digits = textOf(fields['digits'], 32);
        return digits !== undefined && KEYS.test(digits) ? { type: 'keys', digits } : fault('invalid_frame');
      }
      case 'mark': {
        const name = textOf(fields['name'], MARK_CHARS_MAX);
        return name === undefined ? fault('invalid_frame') : { type: 'mark', name };
      }
      case 'end':
        return { type: 'stop' };
      default:
        return { type: 'nothing' }; // keepalive, and what newer clients say
    }
  }

  #start(fields: Readonly<Record<string, unknown>>): StreamMessage {
    const { sample_rate: rate = WIDEBAND_RATE_HZ, transcript = true } = fields;
    const { input_sample_rate: inputRate = rate } = fields;
    if (!isRate(rate) || !isRate(inputRate)) return fault('invalid_sample_rate');
    const variables = readVariables(fields['variables']);
    if (!variables || typeof transcript !== 'boolean') return fault('invalid_frame');
    this.#sampleRateHz = rate;
    this.#wantsTranscript = transcript;
    this.inputRateHz = inputRate;
    if (rate !== TELEPHONE_RATE_HZ) this.#up = createResampler(TELEPHONE_RATE_HZ, rate);
    const { sessionId, agentId, from, variables: own } = this.call();
    const start = { streamId: sessionId, from, called: agentId, variables: { ...variables, ...own } };
    return { type: 'start', start };
  }
}

const isRate = (value: unknown): value is number => value === TELEPHONE_RATE_HZ || value === WIDEBAND_RATE_HZ;
const fault = (code: StreamFault['code']): StreamMessage => ({ type: 'fault', fault: { code } });

function turnFrame(turn: Extract<CallObservation, { type: 'turn' }>['turn']): string {
  const { role, text, startedMs, heardMs, latencyMs } = turn;
  return json({
    ...{ type: 'turn', role, text, started_ms: startedMs, heard_ms: heardMs },
    ...(latencyMs !== undefined && { latency_ms: latencyMs }),
  });
}
