import { decodeMulaw, encodeMulaw } from '../audio/g711.ts';
import { TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import { fieldsOf, jsonFields, textOf } from './json-frame.ts';
import type { StreamFault } from './stream-fault.ts';
import type { StreamFarewell, StreamFrame, StreamMessage, StreamProtocol } from './stream-protocol.ts';
import { takeVariables } from './stream-variables.ts';

/** 20 ms are 400 bytes. */
const FRAME_BYTES_MAX = 64 * 1024;
const ID_CHARS_MAX = 128;
const NUMBER_CHARS_MAX = 256;
/** Names under which TwiML's `<Parameter>` may give the two numbers; the start message itself has none. */
const CALLED = ['to', 'To', 'called', 'Called'];
const FROM = ['from', 'From', 'caller', 'Caller'];

/** Twilio Media Streams, both ways (`<Connect><Stream>`): JSON frames with mu-law at 8 kHz in base64. */
export class TwilioProtocol implements StreamProtocol {
  readonly name = 'twilio';
  readonly codec = 'PCMU';
  readonly inputRateHz = TELEPHONE_RATE_HZ;
  readonly pings = false; // audio never stops
  #streamSid = '';

  read(data: Buffer, isBinary: boolean): StreamMessage {
    if (isBinary || data.length > FRAME_BYTES_MAX) return NOTHING;
    const fields = jsonFields(data.toString('utf8'));
    switch (fields?.['event']) {
      case 'start':
        return this.#start(fieldsOf(fields['start']) ?? {}, fields['streamSid']);
      case 'media':
        return media(fieldsOf(fields['media']));
      case 'dtmf':
        return keys(textOf(fieldsOf(fields['dtmf'])?.['digit'], 1));
      case 'mark': {
        const name = textOf(fieldsOf(fields['mark'])?.['name'], ID_CHARS_MAX);
        return name === undefined ? NOTHING : { type: 'mark', name };
      }
      case 'stop':
        return { type: 'stop' };
      default:
        return NOTHING; // `connected`, and what may be added
    }
  }

  answered(): readonly StreamFrame[] {
    return [];
  }
  audio(frame: Int16Array): string {
    return this.#frame('media', { media: { payload: Buffer.from(encodeMulaw(frame)).toString('base64') } });
  }
  mark(name: string): string {
    return this.#frame('mark', { mark: { name } });
  }
  clear(): string {
    return this.#frame('clear', {});
  }
  /** The call goes on with the TwiML behind `<Connect>`. */
  refused({ code }: StreamFault): StreamFarewell {
    return { frames: [], code: code === 'unauthorized' ? 1008 : 1011, reason: code };
  }
  ended({ reason }: { readonly reason: string }): StreamFarewell {
    return { frames: [], code: 1000, reason };
  }

  #start(start: Readonly<Record<string, unknown>>, outer: unknown): StreamMessage {
    const streamSid = textOf(start['streamSid'], ID_CHARS_MAX) ?? textOf(outer, ID_CHARS_MAX);
    const format = fieldsOf(start['mediaFormat']) ?? {};
    const { encoding = 'audio/x-mulaw', sampleRate = 8000 } = format;
    if (streamSid === undefined || encoding !== 'audio/x-mulaw' || Number(sampleRate) !== 8000) {
      return { type: 'fault', fault: { code: 'invalid_frame' } };
    }
    this.#streamSid = streamSid;
    const parameters = fieldsOf(start['customParameters']) ?? {};
    const first = (names: readonly string[]): string =>
      names.map((name) => textOf(parameters[name], NUMBER_CHARS_MAX)).find((text) => text) ?? '';
    const others = Object.entries(parameters).filter(([name]) => ![...CALLED, ...FROM].includes(name));
    return {
      type: 'start',
      start: {
        streamId: textOf(start['callSid'], ID_CHARS_MAX) ?? streamSid,
        ...{ from: first(FROM), called: first(CALLED), variables: takeVariables(others) },
      },
    };
  }

  #frame(event: string, content: object): string {
    return JSON.stringify({ event, streamSid: this.#streamSid, ...content });
  }
}

const NOTHING: StreamMessage = { type: 'nothing' };

/** Of what the caller says: the other track would be ourselves. */
function media(fields: Readonly<Record<string, unknown>> | undefined): StreamMessage {
  const payload = fields?.['payload'];
  const { track = 'inbound' } = fields ?? {};
  if (typeof payload !== 'string' || track !== 'inbound') return NOTHING;
  return { type: 'audio', samples: decodeMulaw(Buffer.from(payload, 'base64')) };
}

function keys(digit: string | undefined): StreamMessage {
  return digit !== undefined && /^[0-9*#A-Da-d]$/.test(digit) ? { type: 'keys', digits: digit } : NOTHING;
}
