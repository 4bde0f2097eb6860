import type { ManageDeps } from './deps.ts';
import type { ManageOperation } from './operation.ts';
import { accountOperations } from './routes/account.ts';
import { agentDocumentOperations } from './routes/agent-documents.ts';
import { agentTestOperations } from './routes/agent-tests.ts';
import { agentOperations } from './routes/agents.ts';
import { callControlOperations } from './routes/call-control.ts';
import { callListOperations } from './routes/call-list.ts';
import { callOperations } from './routes/calls.ts';
import { doNotCallOperations } from './routes/do-not-call.ts';
import { engineOperations } from './routes/engines.ts';
import { erasureOperations } from './routes/erasures.ts';
import { keyOperations } from './routes/keys.ts';
import { listenOperations } from './routes/listen.ts';
import { liveOperations } from './routes/live.ts';
import { nodeOperations } from './routes/nodes.ts';
import { numberOperations } from './routes/numbers.ts';
import { orderOperations } from './routes/orders.ts';
import { overviewOperations } from './routes/overview.ts';
import { peopleOperations } from './routes/people.ts';
import { phoneOperations } from './routes/phones.ts';
import { playgroundOperations } from './routes/playground.ts';
import { queueOperations } from './routes/queues.ts';
import { routingOperations } from './routes/routing.ts';
import { sessionOperations } from './routes/session.ts';
import { systemOperations } from './routes/system.ts';
import { trunkOperations } from './routes/trunks.ts';
import { usageOperations } from './routes/usage.ts';
import { voiceOperations } from './routes/voices.ts';
import { webhookDeliveryOperations } from './routes/webhook-deliveries.ts';
import { webhookOperations } from './routes/webhooks.ts';

/** Every operation of the management API, in the order of the document. */
export function operationsOf(deps: ManageDeps): readonly ManageOperation[] {
  return [
    ...[overviewOperations, sessionOperations, accountOperations, usageOperations, keyOperations, peopleOperations],
    ...[playgroundOperations, voiceOperations],
    ...[agentOperations, agentDocumentOperations, agentTestOperations],
    ...[numberOperations, trunkOperations, routingOperations, phoneOperations],
    ...[
      callListOperations,
      callOperations,
      callControlOperations,
      listenOperations,
      orderOperations,
      doNotCallOperations,
      erasureOperations,
    ],
    ...[liveOperations, webhookOperations, webhookDeliveryOperations],
    ...[systemOperations, nodeOperations, engineOperations, queueOperations],
  ].flatMap((of) => of(deps));
}
