import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { type CommandResult, runHere } from '../support/command-line.ts';
import { configFolder } from '../support/config-folder.ts';
import { AGENT } from '../support/conversation-rig.ts';
import { openTestStore, type SharedTestStore } from '../support/postgres-store.ts';
import { trunkDefinition } from '../support/trunks.ts';

let test: SharedTestStore;
let config: ReturnType<typeof configFolder>;
let accountId: string;
const run = (...args: string[]): Promise<CommandResult> =>
  runHere(
    {
      ...{ NIDAA_DATA_DIR: test.dataFolder, DATABASE_URL: test.databaseUrl },
      NIDAA_CONFIG: `${config.dir}/nidaa.yaml`,
    },
    args,
  );
const json = async (...args: string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};
const call = (...more: string[]): Promise<CommandResult> => run('call', '--agent', AGENT.definition.name, ...more);

beforeAll(async () => {
  test = await openTestStore();
  const hours = { 'nidaa.yaml': "outbound: { callingHours: { from: '00:00', to: '24:00' } }\n" };
  config = configFolder(hours);
  const { store } = test;
  accountId = (await store.accounts.create('Clinic')).id;
  await store.charges.topup(newId('chg'), accountId, 100, 'topup', 'test');
  const agent = await store.agents.create(accountId, AGENT.definition, 'live');
  await store.numbers.assign('+966112223344', accountId, agent.id);
  await store.trunks.put(undefined, trunkDefinition({ name: 'carrier', allowedPrefixes: ['+9665'] }));
});
afterAll(async () => {
  config.remove();
  await test.close();
});
beforeEach(async () => {
  await test.store.pool.query('DELETE FROM dial_attempts; DELETE FROM dial_orders; DELETE FROM do_not_call');
});

describe('a call that an agent is to make', () => {
  it('is ordered, shown, listed and cancelled', async () => {
    const more = ['--variable', 'name=Sara', '--variable', 'day=Sunday=free', '--on-machine', 'leave-message'];
    const { code, stdout } = await call('--to', '050 000 0007', ...more);
    const [, id] = /^(ord_\w+) {2}queued$/m.exec(stdout) ?? [];
    expect([code, id]).toEqual([0, expect.any(String)]);
    const order = (await test.store.dialOrders.get(id!))!;
    expect(order).toMatchObject({ target: '+966500000007', from: '+966112223344', onMachine: 'leave-message' });
    expect([order.variables, order.timeZone]).toEqual([{ name: 'Sara', day: 'Sunday=free' }, 'Asia/Riyadh']);
    expect(await json('call', 'status', id!)).toMatchObject({ id, state: 'queued', attempt: 0, end: null });
    expect((await run('calls', 'out')).stdout).toMatch(new RegExp(`^${id} .* \\+966500000007 {2}0 {6}queued$`, 'm'));
    expect((await run('call', 'cancel', id!)).stdout).toBe(`${id}  ended: cancelled\n`);
    expect(await json('calls', 'out')).toMatchObject([{ id, state: 'ended', end: { reason: 'cancelled' } }]);
    expect((await run('call', 'status', id!)).stdout).toMatch(/^state {8}ended: cancelled$/m);
  });

  it('waits for the time that it was ordered for', async () => {
    const at = new Date(Date.now() + 3_600_000);
    const placed = await json(
      'call',
      '--agent',
      AGENT.definition.name,
      '--to',
      '+966500000007',
      '--at',
      at.toISOString(),
    );
    expect(placed).toMatchObject({ state: 'queued', next_at: at.toISOString() });
    expect((await run('calls', 'out')).stdout).toMatch(/queued until \d{4}-\d\d-\d\dT/);
  });

  it.each<[RegExp, string[]]>([
    [/^error: Not called \(not-allowed\): The number may not be called: carrier: /, ['--to', '+442071234567']],
    [/^error: Not called \(bad-number\): /, ['--to', 'ahmed']],
    [/^error: Not called \(bad-caller-id\): /, ['--to', '+966500000007', '--from', '+966119999999']],
    [/^error: An agent calls with --agent and --to\./, []],
    [/Expected name=value/, ['--to', '+966500000007', '--variable', 'x']],
    [/Expected a time like/, ['--to', '+966500000007', '--at', 'tomorrow']],
  ])('is refused, and says why: %s', async (sentence, args) => {
    const { code, stderr } = await call(...args);
    expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
    expect(await test.store.dialOrders.list()).toEqual([]);
  });

  it('is none that nobody ordered', async () => {
    for (const command of ['status', 'cancel']) {
      const { code, stderr } = await run('call', command, 'ord_x');
      expect([code, stderr]).toEqual([1, 'error: No call ord_x was ordered. `calls out` shows the latest.\n']);
    }
  });
});

it('a number on the do-not-call list is not called, however it is written, until it is taken off', async () => {
  expect((await run('call', 'dnc', 'add', '٠٥٠٠٠٠٠٠٠٧', '--note', 'asked for it')).stdout).toMatch(/^\+966500000007 /);
  expect((await run('call', 'dnc', 'add', '+966500000007')).stdout).toMatch(/was on the list before/);
  expect(await json('call', 'dnc', 'list')).toMatchObject([{ number: '+966500000007', account_id: accountId }]);
  expect((await call('--to', '00966500000007')).stderr).toMatch(/\(do-not-call\)/);
  expect((await run('call', 'dnc', 'remove', '0500000007')).code).toBe(0);
  expect((await run('call', 'dnc', 'remove', '0500000007')).stderr).toMatch(/is not on the list/);
  expect((await run('call', 'dnc', 'add', 'ahmed')).stderr).toBe('error: ahmed is no number.\n');
  expect((await call('--to', '+966500000007')).code).toBe(0);
  expect((await run('call', 'dnc', 'add', '+966500000008', '--all')).code).toBe(0);
  expect((await call('--to', '+966500000008')).stderr).toMatch(/\(do-not-call\)/);
});
