import { parseObject } from '../../openai/chat-chunks.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { SpeakingSocket } from '../speaking-socket.ts';

/** The service takes no longer text in one message. */
const TEXT_CHARS_MAX = 2_000;

/** One connection to `speak`. */
export class Speaking extends SpeakingSocket<string> {
  protected begin(text: string): void {
    for (const piece of pieces(text)) this.send(JSON.stringify({ type: 'Speak', text: piece }));
    this.send('{"type":"Flush"}');
  }

  protected onText(message: string): void {
    const type = parseObject(message)?.['type'];
    if (type === 'Flushed') this.complete();
    if (type === 'Error') this.broken(new ChatFailure('broken', 'an error in the stream'));
  }

  protected onBytes(bytes: Buffer): void {
    this.push({ bytes });
  }

  protected override leave(): void {
    this.send('{"type":"Close"}');
  }
}

/** Cut between words. */
function pieces(text: string): readonly string[] {
  const found: string[] = [];
  for (let rest = text.trim(); rest !== ''; ) {
    const space = rest.length > TEXT_CHARS_MAX ? rest.lastIndexOf(' ', TEXT_CHARS_MAX) : rest.length;
    const end = space > 0 ? space : TEXT_CHARS_MAX;
    found.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return found;
}
