import { parseObject } from './chat-chunks.ts';
import { ChatFailure } from './chat-failure.ts';

/** The JSON object in what a model wrote, also with thoughts or fences around it. @throws ChatFailure when there is none. */
export function writtenObject(text: string): Readonly<Record<string, unknown>> {
  const said = text.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, '');
  const found = parseObject(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1));
  if (!found) throw new ChatFailure('garbage', 'the claim is no JSON object');
  return found;
}
