import { OperatorError } from '../../core/errors.ts';
import type { AgentDocument } from '../../store/agent-documents.ts';
import type { Store } from '../../store/store.ts';
import type { Settings } from '../settings.ts';
import type { DocumentsDesk } from './desk.ts';
import { note } from './shell-note.ts';

const work = () => import('./document-work.ts'); // The reader and all: other commands start without them.
const shapes = () => import('../../manage/schemas/agent-documents.ts');

export function documentsOfStore(store: Store, settings: Settings): DocumentsDesk {
  const rows = store.agentDocuments;
  const noted = (action: string, { accountId, agentId, id, name, type, size }: AgentDocument): Promise<void> =>
    note(store, accountId, action, { kind: 'agent_document', id }, { agent_id: agentId, name, type, size });
  return {
    list: async ({ accountId, agentId }) => {
      const { presentDocument } = await shapes();
      return (await rows.list(accountId, agentId)).map(presentDocument);
    },
    add: async (of, file) => {
      const [{ keepHere }, { presentDocument }] = await Promise.all([work(), shapes()]);
      const added = await keepHere(store, settings, of, file);
      if (!added) throw new OperatorError('The agent was removed meanwhile.');
      await noted('addAgentDocument', added);
      return presentDocument(added);
    },
    settled: async ({ accountId, agentId }, id, waitMs) => {
      const [{ readHere }, { presentDocument }] = await Promise.all([work(), shapes()]);
      await readHere(store, settings, id, waitMs);
      const found = await rows.get(accountId, agentId, id);
      return found && presentDocument(found);
    },
    remove: async ({ accountId, agentId }, id) => {
      const gone = await rows.remove(accountId, agentId, id);
      if (gone) await noted('deleteAgentDocument', gone);
      return gone !== undefined;
    },
  };
}
