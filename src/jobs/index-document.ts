import { DOCUMENT_CHARACTERS_MAX, type DocumentFault } from '../core/agent-documents.ts';
import { ServiceError } from '../core/errors.ts';
import type { ReadOutcome, RetrievalReader } from '../engines/document/retrieval-reader.ts';
import type { AgentDocument } from '../store/agent-documents.ts';
import type { Store } from '../store/store.ts';

export interface IndexDocumentDeps {
  readonly store: Pick<Store, 'agentDocuments'>;
  readonly reader: Pick<RetrievalReader, 'read'>;
}

export type Indexed = 'ready' | 'failed' | 'gone';

const DETAIL_CHARS = 200;

/**
 * Reads a document of an agent once, so that callers can ask it. Safe to run twice; what cannot be read says why and is not
 * tried again.
 *
 * @throws where the reader or the database is away: the document waits to be read again.
 */
export async function indexDocument(id: string, { store, reader }: IndexDocumentDeps): Promise<Indexed> {
  const rows = store.agentDocuments;
  const document = await rows.begin(id);
  if (document === undefined) return 'gone';
  if (document === 'worn') return failed('broke_off');
  const outcome = await read(document);
  if (outcome.type !== 'text') return failed(faultOf(outcome), outcome.why);
  const { lines, characters, words, pages, excerpt } = outcome;
  if (characters > DOCUMENT_CHARACTERS_MAX) return failed('too_long');
  const kept = { lines: Buffer.from(lines), characters, words, pages, excerpt };
  const finished = await rows.finish(id, document.agentId, kept);
  return finished === 'full' ? failed('agent_full') : 'ready';

  async function failed(reason: DocumentFault, detail?: string): Promise<Indexed> {
    await rows.fail(id, reason, detail?.slice(0, DETAIL_CHARS));
    return 'failed';
  }

  async function read({ type, name }: AgentDocument): Promise<ReadOutcome> {
    try {
      const pieces: Buffer[] = [];
      for await (const piece of rows.file(id)) pieces.push(piece);
      const file = Buffer.concat(pieces);
      return await reader.read({ file, mimeType: type, filename: name }, new AbortController().signal);
    } catch (error) {
      const isItsFault = error instanceof ServiceError && error.code !== 'unavailable';
      await rows.putBack(id, isItsFault).catch(() => undefined); // else the caretaker finds it
      throw error;
    }
  }
}

/** Faults by the reader's words, which are of its own making. */
const BY_WORDS: readonly (readonly [RegExp, DocumentFault])[] = [
  [/a scan needs text recognition|glyphs without meaning/, 'scanned'],
  [/PasswordException|encrypted/, 'encrypted'],
  [/^no text/, 'no_text'],
  [/too much|too many|pages$/, 'too_much'],
];

function faultOf(outcome: Exclude<ReadOutcome, { readonly type: 'text' }>): DocumentFault {
  if (outcome.type === 'spent') return 'too_much';
  if (outcome.code === 'unsupported_document') return 'unsupported';
  return BY_WORDS.find(([words]) => words.test(outcome.why))?.[1] ?? 'unreadable';
}
