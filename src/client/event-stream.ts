import type { SpeechEvent } from '../api/schemas.ts';
import { ServiceError } from './service-error.ts';

/** Longest event that is read: 200 ms of the widest audio in base64 is a hundredth of it. */
const EVENT_CHARS_MAX = 4 * 1024 * 1024;

/** The events of a server-sent event stream, in order; comments are skipped. @throws ServiceError `unreadable`. */
export async function* readEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<SpeechEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    rest += decoder.decode(piece, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    if (rest.length > EVENT_CHARS_MAX) throw unreadable('an event is too long');
    for (const block of blocks) {
      const event = parse(block);
      if (event) yield event;
    }
  }
}

function parse(block: string): SpeechEvent | undefined {
  const data = block
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trimStart())
    .join('\n');
  if (data === '') return undefined;
  try {
    return JSON.parse(data) as SpeechEvent;
  } catch (error) {
    throw unreadable('an event is not JSON', error);
  }
}

const unreadable = (what: string, cause?: unknown): ServiceError =>
  new ServiceError({ code: 'unreadable', message: `The answer cannot be read: ${what}.`, cause });
