export type SseReject = 'line-too-long';

const DATA = /^data: ?/;

/**
 * Reads the `data` payloads of a server-sent event stream from the bytes of a response, however they were cut. Of the
 * format only what chat servers send is kept: one `data` line is one payload; comments and other fields are passed over.
 * Malformed UTF-8 becomes U+FFFD. Holds at most one line of `maxLineChars` and one chunk.
 *
 * @see WHATWG HTML §9.2.6 for the line ends: CR LF, LF or CR
 */
export class SseLines {
  readonly #decoder = new TextDecoder('utf-8');
  #rest = '';
  #endedInCr = false;

  constructor(readonly maxLineChars: number) {}

  /** The payloads that are complete with this chunk, or that a line has no end. */
  push(chunk: Uint8Array): string[] | SseReject {
    return this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  /** What stood after the last line end: servers forget to close their last line. */
  end(): string[] | SseReject {
    return this.#take(`${this.#decoder.decode()}\n`);
  }

  #take(decoded: string): string[] | SseReject {
    const text = this.#endedInCr && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    if (decoded !== '') this.#endedInCr = decoded.endsWith('\r');
    const lines = text.split(/\r\n|\n|\r/);
    lines[0] = this.#rest + lines[0]!;
    this.#rest = lines.pop()!;
    if (this.#rest.length > this.maxLineChars || lines.some((line) => line.length > this.maxLineChars)) {
      this.#rest = '';
      return 'line-too-long';
    }
    return lines.filter((line) => DATA.test(line)).map((line) => line.replace(DATA, ''));
  }
}
