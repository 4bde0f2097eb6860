import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { LIMITS } from '../../api/schemas.ts';
import { uploadOf } from '../../api/upload.ts';
import type { Agent } from '../../core/agent.ts';
import type { AgentDocument } from '../../store/agent-documents.ts';
import { keepDocument, notedDocument } from '../agent-upload.ts';
import type { ManageDeps } from '../deps.ts';
import { savedAs } from '../document-name.ts';
import { idParam, known, type ManageOperation, operation } from '../operation.ts';
import * as shapes from '../schemas/agent-documents.ts';

const tag = 'Agents';

/** Files that an agent answers from. They belong to the agent and are no part of its versions. */
export function agentDocumentOperations({ store, documents }: ManageDeps): ManageOperation[] {
  const { agentDocuments: rows } = store;
  const agentOf = async (accountId: string, id: string): Promise<Agent> =>
    known(await store.agents.get(accountId, id), 'agent', id);
  const documentOf = async (accountId: string, id: string, document: string): Promise<AgentDocument> => {
    const agent = await agentOf(accountId, id);
    return known(await rows.get(accountId, agent.id, document), 'document', document);
  };
  const params = idParam('agent');
  const oneParams = Type.Object({ id: Type.String({ maxLength: 300 }), document: Type.String({ maxLength: 100 }) });
  const path = '/agents/{id}/documents/{document}';
  return [
    operation(
      {
        ...{ id: 'listAgentDocuments', method: 'GET', path: '/agents/{id}/documents', tag, scope: 'read', params },
        ...{ summary: 'List the documents that an agent answers from', answer: shapes.DocumentList },
      },
      async ({ accountId, params: { id } }) => {
        await agentOf(accountId, id);
        const [all, account] = await Promise.all([rows.list(accountId, id), rows.bytesOf(accountId)]);
        return shapes.presentList(all, { file: LIMITS.fileBytes, accountMax: documents.accountBytesMax, account });
      },
    ),
    operation(
      {
        ...{ id: 'addAgentDocument', method: 'POST', path: '/agents/{id}/documents', tag, scope: 'agents', params },
        ...{ status: 201, summary: 'Give an agent a document to answer from' },
        description:
          'PDF, DOCX, text, Markdown, CSV, HTML or JSON, as `file` of a form, or in JSON. It is read afterwards, which takes seconds at ' +
          'most: ask for it until it is `ready` or `failed`. Callers are answered from it when nothing of the agent itself answers.',
        ...{ body: shapes.NewDocument, form: shapes.DocumentForm, answer: shapes.DocumentShape },
        errors: ['empty_file', 'file_too_large', 'unsupported_document', 'taken', 'full'],
      },
      async ({ accountId, params: { id }, body, request, changed }) => {
        await agentOf(accountId, id);
        const file = uploadOf(request, body);
        const limits = { bytesMax: documents.accountBytesMax };
        const added = known(await keepDocument(rows, { accountId, agentId: id }, file, limits), 'agent', id);
        changed({ kind: 'agent_document', id: added.id, after: notedDocument(added) });
        documents.index(added.id);
        return shapes.presentDocument(added);
      },
    ),
    operation(
      {
        ...{ id: 'getAgentDocument', method: 'GET', path, tag, scope: 'read', params: oneParams },
        ...{ summary: 'Get a document of an agent, and how far its reading is', answer: shapes.DocumentShape },
      },
      async ({ accountId, params: { id, document } }) =>
        shapes.presentDocument(await documentOf(accountId, id, document)),
    ),
    operation(
      {
        ...{ id: 'getAgentDocumentFile', method: 'GET', path: `${path}/file`, tag, scope: 'read', params: oneParams },
        ...{ summary: 'Save the file of a document, as it was sent', files: ['application/octet-stream'] },
      },
      async ({ accountId, params: { id, document }, reply }) => {
        const found = await documentOf(accountId, id, document);
        return reply
          .header('content-disposition', savedAs(found.name))
          .header('content-length', found.size)
          .header('x-content-type-options', 'nosniff')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .type('application/octet-stream')
          .send(Readable.from(rows.file(found.id), { objectMode: false }));
      },
    ),
    operation(
      {
        ...{ id: 'deleteAgentDocument', method: 'DELETE', path, tag, scope: 'agents', params: oneParams },
        summary: 'Take a document from an agent: it is deleted',
      },
      async ({ accountId, params: { id, document }, changed }) => {
        await agentOf(accountId, id);
        const gone = known(await rows.remove(accountId, id, document), 'document', document);
        changed({ kind: 'agent_document', id: document, before: notedDocument(gone) });
        return undefined;
      },
    ),
  ];
}
