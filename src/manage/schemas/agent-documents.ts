import { type Static, Type } from '@sinclair/typebox';
import {
  AGENT_CHARACTERS_MAX,
  DOCUMENT_FAULTS,
  DOCUMENT_STATES,
  DOCUMENTS_MAX,
  type DocumentFault,
} from '../../core/agent-documents.ts';
import type { AgentDocument } from '../../store/agent-documents.ts';
import { named, oneOf, orNull, timestamp } from '../schema-names.ts';

const FAULTS = Object.keys(DOCUMENT_FAULTS) as DocumentFault[];
const known = (description: string) => orNull(Type.Integer({ description }));

export const DocumentShape = named(
  'AgentDocument',
  Type.Object({
    id: Type.String(),
    agent_id: Type.String(),
    name: Type.String({ description: 'Of the file: whoever sent it chose it.' }),
    type: Type.String({ description: 'Media type, by the first bytes.' }),
    size_bytes: Type.Integer(),
    state: oneOf(DOCUMENT_STATES, 'Callers are answered from those that are ready.'),
    reason: orNull(oneOf(FAULTS, 'Why it failed.')),
    reason_text: orNull(Type.String()),
    pages: known('1 where files of the type have none. Null until it was read.'),
    words: known('Null until it was read.'),
    characters: known('Null until it was read.'),
    excerpt: orNull(Type.String({ description: 'How its text begins, as it was read.' })),
    created_at: timestamp(),
    changed_at: timestamp('When the state last changed.'),
  }),
);
export const DocumentList = Type.Object({
  items: Type.Array(DocumentShape, { description: 'The oldest first; there are no more pages.' }),
  limits: Type.Object({
    documents: Type.Integer({ description: 'Of one agent.' }),
    characters: Type.Integer({ description: 'Of the text of all documents of an agent.' }),
    file_bytes: Type.Integer(),
    account_bytes: Type.Integer({ description: 'Of all files of the account.' }),
  }),
  used: Type.Object({
    characters: Type.Integer({ description: 'By this agent.' }),
    account_bytes: Type.Integer({ description: 'By all agents of the account.' }),
  }),
});
export const NewDocument = Type.Object({
  file: Type.String({ contentEncoding: 'base64', description: 'At most 8 MB, in a form at most 8 MB, in JSON 6.' }),
  filename: Type.Optional(Type.String({ maxLength: 1_000, description: 'In JSON. A form names its file itself.' })),
  mime_type: Type.Optional(Type.String({ maxLength: 200, description: 'In JSON.' })),
});
export const DocumentForm = Type.Object({ file: Type.Unsafe<string>({ type: 'string', format: 'binary' }) });

export function presentDocument(one: AgentDocument): Static<typeof DocumentShape> {
  return {
    ...{ id: one.id, agent_id: one.agentId, name: one.name, type: one.type, size_bytes: one.size, state: one.state },
    ...{ reason: one.reason, reason_text: one.reason === null ? null : DOCUMENT_FAULTS[one.reason] },
    ...{ pages: one.pages, words: one.words, characters: one.characters, excerpt: one.excerpt },
    ...{ created_at: one.createdAt.toISOString(), changed_at: one.touchedAt.toISOString() },
  };
}

export const presentList = (
  documents: readonly AgentDocument[],
  bytes: { readonly file: number; readonly accountMax: number; readonly account: number },
): Static<typeof DocumentList> => ({
  items: documents.map(presentDocument),
  limits: {
    ...{ documents: DOCUMENTS_MAX, characters: AGENT_CHARACTERS_MAX },
    ...{ file_bytes: bytes.file, account_bytes: bytes.accountMax },
  },
  used: {
    characters: documents.reduce((sum, { state, characters }) => sum + (state === 'ready' ? (characters ?? 0) : 0), 0),
    account_bytes: bytes.account,
  },
});
