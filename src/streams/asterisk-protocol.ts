import { decodeAlaw, decodeMulaw, encodeAlaw, encodeMulaw } from '../audio/g711.ts';
import { TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ } from '../audio/pcm.ts';
import { createResampler, type Resampler } from '../audio/resampler.ts';
import { fieldsOf, jsonFields, textOf } from './json-frame.ts';
import { bytesOfSamples, samplesOfBytes } from './pcm-bytes.ts';
import type { StreamFault } from './stream-fault.ts';
import type { StreamFarewell, StreamFrame, StreamMessage, StreamProtocol } from './stream-protocol.ts';
import { takeVariables } from './stream-variables.ts';

/** Asterisk reads 64 KiB at most, and sends frames of 20 ms. */
const FRAME_BYTES_MAX = 64 * 1024;
const ID_CHARS_MAX = 256;

interface Format {
  decode(bytes: Buffer): Int16Array;
  encode(samples: Int16Array): Buffer;
  readonly sampleRateHz: number;
}
const SLIN = { decode: samplesOfBytes, encode: bytesOfSamples };
/** As Asterisk names them. */
const FORMATS: Readonly<Record<string, Format>> = {
  ulaw: {
    decode: decodeMulaw,
    encode: (samples) => Buffer.from(encodeMulaw(samples)),
    sampleRateHz: TELEPHONE_RATE_HZ,
  },
  alaw: { decode: decodeAlaw, encode: (samples) => Buffer.from(encodeAlaw(samples)), sampleRateHz: TELEPHONE_RATE_HZ },
  slin: { ...SLIN, sampleRateHz: TELEPHONE_RATE_HZ },
  slin16: { ...SLIN, sampleRateHz: WIDEBAND_RATE_HZ },
};

/** The first releases of the channel name no format: it shows in the size of a frame. */
const FORMAT_OF_SIZE: Readonly<Record<string, string>> = { 160: 'ulaw', 320: 'slin', 640: 'slin16' };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Asterisk's `chan_websocket` as it dials out to us: binary frames of the channel's format, and text frames for control,
 * in words (`MEDIA_START format:ulaw ...`) or in JSON, as `websocket_client.conf` has it. Numbers come as parameters of the
 * address: `Dial(WebSocket/nidaa/c(ulaw)nv(from=${CALLERID(num)},to=${EXTEN}))`.
 */
export class AsteriskProtocol implements StreamProtocol {
  readonly name = 'asterisk';
  codec = 'ulaw';
  readonly inputRateHz = TELEPHONE_RATE_HZ;
  readonly pings = false; // audio never stops
  #format: Format = FORMATS['ulaw'] as Format;
  #speaksJson = false;
  #down: Resampler | undefined;
  #up: Resampler | undefined;

  /** @param parameters - of the address. */
  constructor(private readonly parameters: ReadonlyMap<string, string>) {}

  read(data: Buffer, isBinary: boolean): StreamMessage {
    if (data.length > FRAME_BYTES_MAX) return NOTHING;
    if (isBinary) {
      const samples = this.#format.decode(data);
      return { type: 'audio', samples: this.#down ? this.#down.push(samples) : samples };
    }
    const text = data.toString('utf8').trim();
    const json = text.startsWith('{');
    const fields = json ? jsonFields(text) : wordFields(text);
    switch (fields?.['event']) {
      case 'MEDIA_START':
        this.#speaksJson = json;
        return this.#start(fields);
      case 'MEDIA_XOFF':
        return { type: 'pause' };
      case 'MEDIA_XON':
        return { type: 'resume' };
      case 'DTMF_END':
        return keys(textOf(fields['digit'], 1));
      case 'MEDIA_MARK_PROCESSED': {
        const name = textOf(fields['correlation_id'] ?? fields['id'], ID_CHARS_MAX);
        return name === undefined ? NOTHING : { type: 'mark', name };
      }
      default:
        return NOTHING; // STATUS, QUEUE_DRAINED, ERROR, and what may be added
    }
  }

  answered(): readonly StreamFrame[] {
    return [this.#command('ANSWER')];
  }
  audio(frame: Int16Array): Buffer {
    return this.#format.encode(this.#up ? this.#up.push(frame) : frame);
  }
  mark(name: string): string {
    return this.#command('MARK_MEDIA', name);
  }
  clear(): string {
    return this.#command('FLUSH_MEDIA');
  }
  refused({ code }: StreamFault): StreamFarewell {
    return { frames: [this.#command('HANGUP')], code: 1000, reason: code };
  }
  ended({ reason }: { readonly reason: string }): StreamFarewell {
    return { frames: [this.#command('HANGUP')], code: 1000, reason };
  }

  #start(fields: Fields): StreamMessage {
    const name = textOf(fields['format'], 32) ?? FORMAT_OF_SIZE[String(fields['optimal_frame_size'])] ?? '';
    const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
    const streamId = textOf(fields['channel_id'] ?? fields['channel'] ?? fields['connection_id'], ID_CHARS_MAX);
    if (!format || streamId === undefined) return { type: 'fault', fault: { code: 'invalid_frame' } };
    this.#format = format;
    this.codec = name;
    if (format.sampleRateHz !== TELEPHONE_RATE_HZ) {
      this.#down = createResampler(format.sampleRateHz, TELEPHONE_RATE_HZ);
      this.#up = createResampler(TELEPHONE_RATE_HZ, format.sampleRateHz);
    }
    const channel = Object.entries(fieldsOf(fields['channel_variables']) ?? {});
    const all: (readonly [string, unknown])[] = [...channel, ...this.parameters];
    const others = all.filter(([key]) => key !== 'from' && key !== 'to');
    const { parameters } = this;
    const start = { from: parameters.get('from') ?? '', called: parameters.get('to') ?? '' };
    return { type: 'start', start: { ...start, streamId, variables: takeVariables(others) } };
  }

  #command(command: string, id?: string): string {
    if (!this.#speaksJson) return id === undefined ? command : `${command} ${id}`;
    return JSON.stringify({ command, ...(id !== undefined && { correlation_id: id }) });
  }
}

const NOTHING: StreamMessage = { type: 'nothing' };

/** `MEDIA_START connection_id:abc format:ulaw`, and `MEDIA_MARK_PROCESSED id`. */
function wordFields(text: string): Fields {
  const [event = '', ...words] = text.split(' ');
  const fields: Record<string, unknown> = Object.assign(Object.create(null), { event });
  for (const word of words) {
    const at = word.indexOf(':');
    if (at > 0) fields[word.slice(0, at)] = word.slice(at + 1);
    else if (word !== '') fields['id'] = word;
  }
  return fields;
}

function keys(digit: string | undefined): StreamMessage {
  return digit !== undefined && /^[0-9*#A-Da-d]$/.test(digit) ? { type: 'keys', digits: digit } : NOTHING;
}
