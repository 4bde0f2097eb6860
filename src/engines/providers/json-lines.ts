import { parseObject } from '../openai/chat-chunks.ts';
import { ChatFailure } from '../openai/chat-failure.ts';

/** A second of sound in base64 is far less. */
const LINE_BYTES_MAX = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

/** JSON objects, one a line, out of a body however its bytes were cut. @throws ChatFailure `garbage`, `too-large`. */
export async function* jsonLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let rest: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield* objectIn(Buffer.concat([...rest, chunk.subarray(from, end)]));
      rest = [];
      bytes = 0;
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > LINE_BYTES_MAX) throw new ChatFailure('too-large', 'a line without an end');
  }
  yield* objectIn(Buffer.concat(rest));
}

function* objectIn(line: Buffer): Generator<Readonly<Record<string, unknown>>> {
  const text = line.toString('utf8').trim();
  if (text === '') return;
  const object = parseObject(text);
  if (!object) throw new ChatFailure('garbage', 'a line that is no JSON object');
  yield object;
}
