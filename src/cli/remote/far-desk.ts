import type { Desk } from '../desk/desk.ts';
import { farAccounts, farKeys, farPeople, farTokens } from './far-accounts.ts';
import { farAgents } from './far-agents.ts';
import { farCalls, farDoNotCall, farOrders } from './far-calls.ts';
import { farDocuments } from './far-documents.ts';
import { farJobs } from './far-jobs.ts';
import { farNodes } from './far-nodes.ts';
import { farPhones, farRouting, farTrunks, farWebhooks } from './far-trunks.ts';
import type { ManageClient } from './manage-client.ts';
import type { Reach } from './reach.ts';

/** Over the management API. */
export function farDesk(client: ManageClient, reach: Reach): Desk {
  return {
    ...{ accounts: farAccounts(client, reach), tokens: farTokens(client, reach), keys: farKeys(client, reach) },
    ...{ people: farPeople(client, reach), agents: farAgents(client), documents: farDocuments(client) },
    calls: farCalls(client, reach),
    ...{ orders: farOrders(client, reach), doNotCall: farDoNotCall(client, reach), trunks: farTrunks(client, reach) },
    ...{ phones: farPhones(client, reach), routing: farRouting(client), webhooks: farWebhooks(client, reach) },
    jobs: farJobs(client),
    nodes: farNodes(client),
  };
}
