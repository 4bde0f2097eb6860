import type { Store } from '../../store/store.ts';
import type { CommandContext } from '../context.ts';
import type { Desk } from './desk.ts';
import { accountsOfStore, keysOfStore, peopleOfStore, tokensOfStore } from './store-accounts.ts';
import { agentsOfStore } from './store-agents.ts';
import { callsOfStore, doNotCallOfStore, ordersOfStore } from './store-calls.ts';
import { phonesOfStore, routingOfStore, trunksOfStore, webhooksOfStore } from './store-trunks.ts';

/** Over the database of this machine. What needs files of the configuration reads them when it is asked for. */
export function storeDesk(store: Store, context: Pick<CommandContext, 'config' | 'logger'>): Desk {
  return {
    ...{ accounts: accountsOfStore(store), tokens: tokensOfStore(store), keys: keysOfStore(store) },
    ...{ people: peopleOfStore(store, context), agents: agentsOfStore(store, context), calls: callsOfStore(store) },
    get orders() {
      return ordersOfStore(store, context);
    },
    ...{ doNotCall: doNotCallOfStore(store, context), trunks: trunksOfStore(store, context) },
    ...{ phones: phonesOfStore(store, context), routing: routingOfStore(store, context) },
    webhooks: webhooksOfStore(store),
  };
}
