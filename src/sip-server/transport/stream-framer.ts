const CR = 0x0d;
const LF = 0x0a;
const HEAD_END = Buffer.from('\r\n\r\n');
const FIRST_BYTES = 4_096;

export type FrameFault = 'message-too-large' | 'missing-content-length' | 'bad-content-length' | 'not-sip';

/** What a connection carried. After `bad` nothing more comes: where the next message starts is unknown. */
export type Frame =
  | { readonly kind: 'message'; readonly bytes: Buffer }
  | { readonly kind: 'ping' } // answer with CRLF (RFC 5626 §4.4.1)
  | { readonly kind: 'bad'; readonly fault: FrameFault; readonly head: Buffer | undefined };

/**
 * Cuts a TCP or TLS stream into messages by Content-Length, which is mandatory there (RFC 3261 §18.3).
 * Holds at most `messageBytesMax` bytes and one read of the socket; time is linear however the bytes are cut up.
 */
export class StreamFramer {
  #buffer = Buffer.alloc(0); // capacity; the content is its first #length bytes
  #length = 0;
  #searched = 0; // no head end starts before this
  #needed = 0; // length of the whole message once its head is known
  #lineEnds = 0; // bytes of CRLF seen between messages
  #broken = false;
  constructor(readonly messageBytesMax = 65_536) {}

  /** True while part of a message is held: the rest must come within a time limit. */
  get midMessage(): boolean {
    return this.#length > 0;
  }
  get broken(): boolean {
    return this.#broken;
  }

  /** Frames completed by these bytes, in order. Message bytes are copies that may be kept. */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    if (this.#broken) return frames;
    let rest = chunk;
    while (rest.length > 0 && !this.#broken) {
      if (this.#length === 0) rest = this.#skipLineEnds(rest, frames);
      const taken = Math.min(rest.length, this.#room());
      this.#append(rest.subarray(0, taken));
      rest = rest.subarray(taken);
      this.#cut(frames);
    }
    return frames;
  }

  /** Bytes that may be taken before looking again; a message never grows past its end or the limit. */
  #room(): number {
    if (this.#needed > 0) return this.#needed - this.#length;
    return Math.min(FIRST_BYTES, this.messageBytesMax + 1 - this.#length);
  }

  #skipLineEnds(chunk: Buffer, frames: Frame[]): Buffer {
    let at = 0;
    while (at < chunk.length && chunk[at] === (this.#lineEnds % 2 === 0 ? CR : LF)) {
      at += 1;
      this.#lineEnds += 1;
      if (this.#lineEnds < 4) continue;
      frames.push({ kind: 'ping' });
      this.#lineEnds = 0;
    }
    if (at < chunk.length) this.#lineEnds = 0;
    return chunk.subarray(at);
  }

  #append(bytes: Buffer): void {
    const wanted = this.#length + bytes.length;
    if (wanted > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(FIRST_BYTES, wanted, this.#buffer.length * 2));
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    bytes.copy(this.#buffer, this.#length);
    this.#length = wanted;
  }

  #cut(frames: Frame[]): void {
    while (this.#length > 0) {
      if (this.#needed === 0 && !this.#findHead(frames)) return;
      if (this.#length < this.#needed) return;
      const bytes = Buffer.from(this.#buffer.subarray(0, this.#needed));
      const rest = this.#buffer.subarray(this.#needed, this.#length);
      this.#reset();
      frames.push({ kind: 'message', bytes });
      const after = this.#skipLineEnds(rest, frames);
      if (after.length > 0) this.#append(Buffer.from(after));
    }
  }

  /** Looks for the end of the head in what is new; true once the length of the message is known. */
  #findHead(frames: Frame[]): boolean {
    const content = this.#buffer.subarray(0, this.#length);
    if (!mayStartMessage(content[0] ?? 0)) {
      this.#break(frames, 'not-sip', undefined);
      return false;
    }
    const end = content.indexOf(HEAD_END, this.#searched);
    if (end < 0) {
      this.#searched = Math.max(0, this.#length - 3);
      if (this.#length > this.messageBytesMax) this.#break(frames, 'message-too-large', undefined);
      return false;
    }
    const head = content.subarray(0, end + 4);
    const length = contentLength(head);
    if (typeof length === 'string') this.#break(frames, length, Buffer.from(head));
    else if (head.length + length > this.messageBytesMax) this.#break(frames, 'message-too-large', Buffer.from(head));
    else this.#needed = head.length + length;
    return this.#needed > 0;
  }

  #break(frames: Frame[], fault: FrameFault, head: Buffer | undefined): void {
    frames.push({ kind: 'bad', fault, head });
    this.#reset();
    this.#broken = true;
  }

  #reset(): void {
    this.#buffer = Buffer.alloc(0); // A long message must not hold memory for the life of the connection.
    this.#length = 0;
    this.#searched = 0;
    this.#needed = 0;
  }
}

/** Methods and `SIP/2.0` begin with a printable character; TLS on a TCP port, or a port scan, often does not. */
function mayStartMessage(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

/** Content-Length of a head that ends with an empty line; several are fine only when equal. */
function contentLength(head: Buffer): number | 'missing-content-length' | 'bad-content-length' {
  let found: number | undefined;
  for (let at = 0; at < head.length; ) {
    const end = logicalEnd(head, at);
    const colon = head.indexOf(':', at);
    if (colon > at && colon < end && isContentLength(head.toString('latin1', at, Math.min(colon, at + 32)))) {
      const value = readLength(head.toString('latin1', colon + 1, Math.min(end, colon + 64)));
      if (value === undefined || (found !== undefined && found !== value)) return 'bad-content-length';
      found = value;
    }
    at = end + 2;
  }
  return found ?? 'missing-content-length';
}

/** Index of the CRLF that ends the header at `from` with its continuation lines. */
function logicalEnd(head: Buffer, from: number): number {
  let end = head.indexOf('\r\n', from);
  while (head[end + 2] === 0x20 || head[end + 2] === 0x09) end = head.indexOf('\r\n', end + 2);
  return end;
}

function isContentLength(name: string): boolean {
  const trimmed = name.trimEnd().toLowerCase();
  return trimmed === 'content-length' || trimmed === 'l';
}

function readLength(text: string): number | undefined {
  const trimmed = text.trim();
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined;
}
