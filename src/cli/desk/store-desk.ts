import type { Store } from '../../store/store.ts';
import type { Settings } from '../settings.ts';
import type { Desk } from './desk.ts';
import { accountsOfStore, keysOfStore, peopleOfStore, tokensOfStore } from './store-accounts.ts';
import { agentsOfStore } from './store-agents.ts';
import { callsOfStore, doNotCallOfStore, ordersOfStore } from './store-calls.ts';
import { documentsOfStore } from './store-documents.ts';
import { jobsOfStore } from './store-jobs.ts';
import { nodesOfStore } from './store-nodes.ts';
import { phonesOfStore, routingOfStore, trunksOfStore, webhooksOfStore } from './store-trunks.ts';

/** Over the database of this machine. What needs files of the configuration reads them when it is asked for. */
export function storeDesk(store: Store, settings: Settings): Desk {
  return {
    ...{ accounts: accountsOfStore(store), tokens: tokensOfStore(store), keys: keysOfStore(store) },
    ...{ people: peopleOfStore(store, settings), agents: agentsOfStore(store, settings), calls: callsOfStore(store) },
    get documents() {
      return documentsOfStore(store, settings);
    },
    get orders() {
      return ordersOfStore(store, settings);
    },
    ...{ doNotCall: doNotCallOfStore(store, settings), trunks: trunksOfStore(store, settings) },
    ...{ phones: phonesOfStore(store, settings), routing: routingOfStore(store, settings) },
    webhooks: webhooksOfStore(store),
    jobs: jobsOfStore(store, settings),
    nodes: nodesOfStore(store),
  };
}
