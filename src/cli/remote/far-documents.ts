import { delay, systemClock } from '../../core/clock.ts';
import type { DocumentOwner, DocumentsDesk, DocumentView } from '../desk/desk.ts';
import { ifKnown, type ManageClient, part } from './manage-client.ts';

const POLL_MS = 500;

export function farDocuments(client: ManageClient): DocumentsDesk {
  const pathOf = ({ agentId }: DocumentOwner): string => `/agents/${agentId}/documents`;
  const get = (of: DocumentOwner, id: string): Promise<DocumentView | undefined> =>
    ifKnown(client.ask<DocumentView>({ path: `${pathOf(of)}/${part(id)}`, accountId: of.accountId }));
  return {
    list: async (of) =>
      (await client.ask<{ items: DocumentView[] }>({ path: pathOf(of), accountId: of.accountId })).items,
    add: ({ accountId, agentId }, { name, bytes }) => {
      const body = new FormData();
      body.set('file', new Blob([bytes]), name);
      return client.ask({ method: 'POST', path: pathOf({ accountId, agentId }), accountId, body });
    },
    settled: async (of, id, waitMs) => {
      const untilMs = systemClock.nowMs() + waitMs;
      for (;;) {
        const found = await get(of, id);
        const isOver = !found || found.state === 'ready' || found.state === 'failed';
        if (isOver || systemClock.nowMs() >= untilMs) return found;
        await delay(systemClock, Math.min(POLL_MS, untilMs - systemClock.nowMs()));
      }
    },
    remove: async (of, id) => {
      const path = `${pathOf(of)}/${part(id)}`;
      const gone = client.ask<undefined>({ method: 'DELETE', path, accountId: of.accountId }).then(() => true);
      return (await ifKnown(gone)) ?? false;
    },
  };
}
