import { shown } from '../api/characters.ts';
import { documentType } from '../api/document-type.ts';
import { checkedUpload, type Upload } from '../api/upload.ts';
import { DOCUMENTS_MAX } from '../core/agent-documents.ts';
import { ServiceError } from '../core/errors.ts';
import type { AgentDocument, AgentDocumentRows } from '../store/agent-documents.ts';
import { isDuplicate } from '../store/database.ts';
import { documentName } from './document-name.ts';
import { ManageError } from './manage-error.ts';

/** Of an entry in the audit log. */
export const notedDocument = ({ agentId, name, type, size }: AgentDocument) => ({
  ...{ agent_id: agentId, name, type, size },
});

/**
 * Keeps a file that was sent, as a document of an agent that is to be read.
 *
 * @returns undefined where the account has no such agent.
 * @throws ServiceError `empty_file`, `file_too_large`, `unsupported_document`; ManageError `taken`, `full`.
 */
export async function keepDocument(
  rows: Pick<AgentDocumentRows, 'add'>,
  { accountId, agentId }: { readonly accountId: string; readonly agentId: string },
  sent: Upload,
  limits: { readonly bytesMax: number },
): Promise<AgentDocument | undefined> {
  const file = checkedUpload(sent);
  const type = documentType(file);
  if (!type) throw new ServiceError('unsupported_document', shown(file.mediaType ?? 'application/octet-stream'));
  const made = { name: documentName(file.filename), type, bytes: Buffer.from(file.bytes) };
  const added = await unlessTaken(made.name, () => rows.add(accountId, agentId, made, limits));
  if (added === 'documents') throw new ManageError('full', `documents of one agent (${DOCUMENTS_MAX})`);
  if (added === 'bytes') throw new ManageError('full', 'bytes of documents in this account');
  return added;
}

async function unlessTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDuplicate(error)) throw new ManageError('taken', `a document ${name}`);
    throw error;
  }
}
