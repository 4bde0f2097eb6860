import { objectOf, parseObject } from '../../openai/chat-chunks.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';

/** One event of the protocol, whichever way it goes. */
export interface WyomingEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly payload: Buffer;
}

const NEWLINE = 0x0a;
const NO_BYTES = Buffer.alloc(0);
const LINE_BYTES_MAX = 1024 * 1024;
/** A server that lists hundreds of voices takes some hundred kB. */
const DATA_BYTES_MAX = 4 * 1024 * 1024;
const PAYLOAD_BYTES_MAX = 1024 * 1024;

/**
 * A line of JSON, then as many bytes of JSON and of payload as the line says.
 *
 * @see Wyoming protocol, "Format"
 */
export function encodeEvent(type: string, data: object = {}, payload: Uint8Array = NO_BYTES): Buffer {
  const json = Buffer.from(JSON.stringify(data));
  const head = { type, data_length: json.length, ...(payload.length > 0 && { payload_length: payload.length }) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), json, payload]);
}

interface Head {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly dataBytes: number;
  readonly payloadBytes: number;
}

/** Events out of a connection, however its bytes were cut. Holds one event at most, and what came with its end. */
export class EventReader {
  #waiting: Buffer[] = [];
  #bytes = 0;
  #head: Head | undefined; // of an event that is not complete

  /** The events that are complete with these bytes. @throws ChatFailure `garbage`, `too-large`. */
  *push(bytes: Buffer): Generator<WyomingEvent> {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    for (;;) {
      this.#head ??= this.#readHead();
      if (!this.#head || this.#bytes < this.#head.dataBytes + this.#head.payloadBytes) return;
      const { fields, dataBytes, payloadBytes } = this.#head;
      this.#head = undefined;
      const more = dataBytes === 0 ? {} : objectIn(this.#take(dataBytes));
      yield {
        type: String(fields['type']),
        data: { ...objectOf(fields['data']), ...more },
        payload: this.#take(payloadBytes),
      };
    }
  }

  #readHead(): Head | undefined {
    const all = this.#joined();
    const end = all.indexOf(NEWLINE);
    if (end > LINE_BYTES_MAX || (end < 0 && all.length > LINE_BYTES_MAX))
      throw new ChatFailure('too-large', 'a line without an end');
    if (end < 0) return undefined;
    const fields = objectIn(this.#take(end + 1));
    if (typeof fields['type'] !== 'string') throw new ChatFailure('garbage', 'an event without a type');
    return {
      fields,
      dataBytes: lengthOf(fields['data_length'], DATA_BYTES_MAX),
      payloadBytes: lengthOf(fields['payload_length'], PAYLOAD_BYTES_MAX),
    };
  }

  #joined(): Buffer {
    if (this.#waiting.length > 1) this.#waiting = [Buffer.concat(this.#waiting)];
    return this.#waiting[0] ?? NO_BYTES;
  }

  #take(count: number): Buffer {
    const all = this.#joined();
    this.#waiting = [all.subarray(count)];
    this.#bytes -= count;
    return all.subarray(0, count);
  }
}

function objectIn(bytes: Buffer): Readonly<Record<string, unknown>> {
  const object = parseObject(bytes.toString('utf8'));
  if (!object) throw new ChatFailure('garbage', 'what is no JSON object');
  return object;
}

function lengthOf(value: unknown, max: number): number {
  if (value === undefined || value === null) return 0;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw new ChatFailure('garbage', 'a length that is none');
  if (value > max) throw new ChatFailure('too-large', `an event of ${value} bytes`);
  return value;
}
