import type { ManageRig } from './manage-rig.ts';
import { endCall } from './manage-things.ts';

/**
 * What somebody from outside, or of the account, may have called a thing: where it runs, the title of the window tells, and where it is
 * no text, the picture is asked for. `what` tells it from the others.
 */
export const hostile = (what: string): string =>
  `<img src=x onerror="document.title='ran'"><script>document.title='ran'</script>${what}`;

/** The dialogue and its words stand in YAML between quotes. */
const DIALOGUES = `dialogues:
  - name: ${JSON.stringify(hostile('dialogue'))}
    steps:
      - caller: ${JSON.stringify(hostile('step'))}
        agent: { contains: ${JSON.stringify(hostile('expected'))} }
`;

/** Everything that somebody from outside, or of the account, may have written, on the things of `thingsOf`. */
export async function namedBadly(rig: ManageRig, things: ReadonlyMap<string, string>): Promise<void> {
  const { store, accountId } = rig;
  const [call, agent, webhook, trunk] = ['calls', 'agents', 'webhooks', 'trunks'].map((kind) => things.get(kind)!);
  const set = (text: string, ...values: unknown[]): Promise<unknown> => store.pool.query(text, values);
  await store.calls.turn(store.pool, call!, {
    ...{ index: 2, role: 'caller', text: hostile('transcript'), startedMs: 64_500, heardMs: 400 },
  });
  await endCall(store, call!);
  await set(
    'UPDATE calls SET agent_name = $1, from_number = $2 WHERE id = $3',
    hostile('agent'),
    hostile('caller'),
    call,
  );
  await set(
    `UPDATE sip_ladders SET steps = jsonb_set(jsonb_set(steps, '{0,text}', to_jsonb($1::text)), '{0,line}', to_jsonb($2::text))
     WHERE call_id = $3`,
    hostile('header'),
    hostile('line'),
    call,
  );
  await set('UPDATE agents SET name = $1 WHERE id = $2', hostile('agent'), agent);
  await set(
    `UPDATE agent_versions SET definition = definition || jsonb_build_object('name', $1::text, 'greeting', jsonb_build_object('en', $2::text))
     WHERE agent_id = $3`,
    ...[hostile('agent'), hostile('greeting'), agent],
  );
  await set(
    `UPDATE trunks SET name = $1, definition = definition || jsonb_build_object('name', $1::text) WHERE id = $2`,
    ...[hostile('trunk'), trunk],
  );
  await set('UPDATE people SET email = $1 WHERE id = $2', hostile('mail'), things.get('people'));
  await set('UPDATE webhooks SET url = $1, description = $2 WHERE id = $3', hostile('url'), hostile('note'), webhook);
  const { id } = await store.webhookDeliveries.addTest(webhook!, accountId);
  const tries = [{ at: new Date(0).toISOString(), status: 500, ms: 7, error: 'status', answer: hostile('answer') }];
  await set(
    `UPDATE webhook_deliveries SET state = 'failed', tries = 1, history = $1 WHERE id = $2`,
    ...[JSON.stringify(tries), id],
  );
  const from = { from: hostile('stranger'), to: hostile('called'), sourceAddress: '192.0.2.1', transport: 'udp' };
  const why = { reason: 'not-allowed', detail: hostile('detail'), remedy: hostile('remedy'), accountId };
  await store.refusedCalls.add([{ at: new Date(), sipCallId: hostile('id'), ...from, ...why }]);
  await rig.ask('POST /tokens', { body: { name: hostile('token') } });
  await rig.ask('POST /keys', { body: { name: hostile('key'), scopes: ['read'] } });
  await rig.ask('POST /account/topups', { body: { cents: 100, reason: hostile('reason') } });
  await rig.ask(`PUT /agents/${agent}/tests`, { body: { yaml: DIALOGUES } });
  await rig.ask(`POST /agents/${agent}/tests/run`, { body: { mode: 'text' } });
}
