import type { AgentDocuments } from '../document/contract.ts';
import { answering } from './answering.ts';
import type { ReplyEngine } from './contract.ts';
import { documentNote } from './document-note.ts';

/** What a model is given; it judges itself whether a passage answers. */
const PASSAGES_MAX = 3;
const READ_FROM = 0.3;

/** The same engine, given the passages of the agent's documents that may answer what was said. */
export function withPassages(engine: ReplyEngine, documents: AgentDocuments, withinMs: number): ReplyEngine {
  return answering(engine, async function* (request, signal) {
    if (request.input !== 'speech' || request.text.trim() === '') return yield* engine.reply(request, signal);
    const wish = { limit: PASSAGES_MAX, withinMs };
    const found = await documents.find(request.agent, request.text, wish, signal);
    const passages = found.filter(({ score }) => score >= READ_FROM);
    if (passages.length > 0) request.note?.({ documents: passages.map((one) => documentNote(one, false)) });
    return yield* engine.reply(passages.length > 0 ? { ...request, passages } : request, signal);
  });
}
