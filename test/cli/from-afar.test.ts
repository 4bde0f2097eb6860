import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTrunks } from '../../src/config/trunks.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { TurnDetails } from '../../src/core/turn-details.ts';
import type { RetrievalReader } from '../../src/engines/document/retrieval-reader.ts';
import { indexDocument } from '../../src/jobs/index-document.ts';
import { BothWays, type Own } from '../support/both-ways.ts';
import { configFolder } from '../support/config-folder.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { callOf, DEFINITION, endCall, thingsOf } from '../support/manage-things.ts';
import { patientReader } from '../support/patient-reader.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

let rig: ManageRig;
let reader: RetrievalReader;
let ways: BothWays;
let folder: ReturnType<typeof configFolder>;
/** Things of both accounts, by kind. */
let own: ReadonlyMap<string, string>;
let theirs: ReadonlyMap<string, string>;
beforeAll(async () => {
  reader = patientReader();
  const index = (document: string) => void indexDocument(document, { store: rig.store, reader }).catch(() => undefined);
  // Rates are those of a gateway that goes on, and documents are read as they are there.
  rig = await manageRig(() => ({ clock: systemClock, documents: { accountBytesMax: 64 * 1024 * 1024, index } }));
  ways = new BothWays(rig);
  folder = configFolder({});
  own = await seed(rig.accountId, '198.51.100.21');
  theirs = await seed(rig.otherAccountId, '198.51.100.22');
});
afterAll(async () => {
  folder?.remove();
  await reader?.close();
  await rig?.close();
});

const ANALYSED = `UPDATE calls SET transfers = $2::jsonb, outcome = 'order-found', analysis_state = 'ready', analysis = $3::jsonb,
  source_kind = 'trunk', source_name = 'carrier' WHERE id = $1`;
const ANALYSIS = {
  ...{ label: { en: 'Found' }, summary: 'An order was found.', by: 'dialogue' },
  fields: [{ name: 'order', value: '4521', turn: 1, words: 'four five two one' }],
};
const TRANSFERS = [
  { target: 'phone:a', by: 'refer', outcome: 'failed', detail: 'busy', startedMs: 10 },
  { target: 'phone:b', by: 'bridge', outcome: 'done', startedMs: 20, answeredMs: 30, joinedMs: 40, endedMs: 5_040 },
];

/** Turns whose pauses a model has judged. */
const JUDGED: readonly TurnDetails[] = [
  { pauses: [{ language: 'ar', said: 'complete', probability: 0.6, ms: 30, truth: 'went-on' }] },
  { pause: { language: 'ar', said: 'complete', probability: 0.9, ms: 40, waited: 310, truth: 'over' } },
];

/** One thing of every kind, and calls that were refused, with and without an account. */
async function seed(accountId: string, source: string): Promise<ReadonlyMap<string, string>> {
  const { store } = rig;
  const word = accountId === rig.accountId ? 'mine' : 'theirs';
  const things = await thingsOf(store, accountId, word);
  const call = things.get('calls')!;
  await endCall(store, call, 'recordings/a.wav');
  for (const [index, details] of JUDGED.entries()) {
    const turn = { role: 'caller', text: 'x', startedMs: 0, heardMs: 1 } as const;
    await store.calls.turn(store.pool, call, { ...turn, index: 90 + index, details });
  }
  await store.pool.query(ANALYSED, [call, JSON.stringify(TRANSFERS), JSON.stringify(ANALYSIS)]);
  const refused = { from: 'x', to: '1000', sourceAddress: source, transport: 'udp', sipCallId: `${word}@x` };
  const why = { reason: 'not-allowed', detail: 'nobody known', remedy: 'a trunk' };
  const at = new Date();
  await store.refusedCalls.add([
    { ...refused, ...why, at, accountId },
    { ...refused, ...why, at: new Date(at.getTime() + 1) },
  ]);
  return things;
}

const agentYaml = (name: string, number: string): string =>
  `# The corner shop.\nnumber: "${number}"\nname: ${name} # as callers know it\n` +
  `language: en-US\nvoice: emma\nmodel: sada-1\ngreeting: { en: "Hello, {{who}}" }\n` +
  `variables: { who: friend }\nknowledge:\n  - question: { en: ["when are you open"] }\n    answer: { en: "From seven to nine." }\n`;
const TESTS = `dialogues:
  - name: hours
    steps:
      - caller: when are you open
        agent: { contains: seven, action: none }
  - name: nonsense
    steps:
      - caller: when are you open
        agent: { contains: eleven, not_contains: seven }
`;

/** A folder with an agent and its tests. */
function agentFolder({ name, number }: Own): string {
  const dir = join(folder.dir, name);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'shop.yaml'), agentYaml(`Shop ${name}`, number));
  writeFileSync(join(dir, 'shop.tests.yaml'), TESTS);
  return dir;
}

type Args = (own: Own) => readonly string[] | Promise<readonly string[]>;
interface Row {
  readonly what: string;
  readonly args: Args;
  readonly code?: number;
  /** Something of what is shown for people, or of the error. */
  readonly says: string | RegExp;
  /** What differs by its nature. */
  readonly alike?: (text: string) => string;
}
const fixed =
  (...args: string[]): Args =>
  () =>
    args;
const id = (kind: string, of: 'own' | 'theirs' = 'own'): string => (of === 'own' ? own : theirs).get(kind)!;
const row = (what: string, args: Args, says: Row['says'], more: Partial<Row> = {}): Row => ({
  what,
  args,
  says,
  ...more,
});
const refused = { code: 1 };

const account = (one: Own): string => `Account ${one.name}`;
const isLastUsed = (text: string): string =>
  text.replace(/"last_used_at":(?:null|"TIME")/g, '"last_used_at":0').replace(/never|TIME/g, 'T');

const ANEW = ['--host', 'sip:127.0.0.1:9', '--allow', '+966'];
const ACCOUNTS: Row[] = [
  row(
    'account create',
    (one) => ['account', 'create', '--name', account(one), '--credit', '500'],
    /token +service_sk_live_/,
  ),
  row('account topup', (one) => ['account', 'topup', account(one), '250'], /balance +750 cents/),
  row('account balance', (one) => ['account', 'balance', account(one)], /balance +750 cents/),
  row('account list', fixed('account', 'list'), /First/),
  row(
    'account topup of nobody',
    fixed('account', 'topup', 'Nobody', '1'),
    /No single account Nobody\. There are: .*First/,
    refused,
  ),
  row('token create', (one) => ['token', 'create', '--account', 'First', '--name', one.name], /Shown this once/),
  row('token create, no account', fixed('token', 'create'), /Name an account with --account: .*Second/, refused),
  row('token list', fixed('token', 'list'), /theirs/, { alike: isLastUsed }),
  row('token list of one', fixed('token', 'list', '--account', 'Second'), /theirs/),
  row('token revoke', async (one) => ['token', 'revoke', await tokenOf(rig.otherAccountId, one)], /^revoked tok_ID/),
  row('token revoke, unknown', fixed('token', 'revoke', 'tok_none'), /No token tok_none is in force/, refused),
  row('token revoke, odd', fixed('token', 'revoke', '..'), /No token \.\. is in force/, refused),
  row(
    'keys create',
    (one) => ['keys', 'create', '--account', 'Second', '--name', one.name, '--scope', 'read'],
    /may +read/,
  ),
  row('keys list', fixed('keys', 'list'), /operator/, { alike: isLastUsed }),
  row('keys revoke', async (one) => ['keys', 'revoke', await keyOf(one)], /^revoked mky_ID/),
  row('keys revoke, unknown', fixed('keys', 'revoke', 'mky_none'), /No key mky_none/, refused),
  row(
    'console invite',
    (one) => ['console', 'invite', `${one.name}@example.com`, '--account', 'First', '--role', 'viewer'],
    /welcome#SECRET/,
    { alike: link },
  ),
  row('console invite, known', (one) => ['console', 'invite', `${one.name}@example.com`], /\(viewer of acc_ID\)/, {
    alike: link,
  }),
  row(
    'console invite, another role',
    (one) => ['console', 'invite', `${one.name}@example.com`, '--role', 'owner'],
    /known as viewer/,
    refused,
  ),
];

const AGENTS: Row[] = [
  row('agents list', fixed('agents', 'list', '--account', 'First'), /Corner Bakery +\+966112345678/),
  row('agents import', (one) => ['agents', 'import', agentFolder(one), '--account', account(one)], /Shop OWN +810N +1/),
  row(
    'agents import, again',
    (one) => ['agents', 'import', agentFolder(one), '--account', account(one)],
    /Shop OWN +810N +2/,
  ),
  row(
    'agents export',
    (one) => ['agents', 'export', `Shop ${one.name}`, '--account', account(one)],
    /^# The corner shop\.\nnumber: "810N"\nname: Shop OWN # as callers know it\nlanguage/,
  ),
  row(
    'agents export, of nobody',
    fixed('agents', 'export', 'Nobody', '--account', 'First'),
    /has no agent Nobody/,
    refused,
  ),
  row(
    'agents export, one that nobody wrote',
    fixed('agents', 'export', 'Corner Bakery', '--account', 'First'),
    /^number: "\+966112345678"\nname: Corner Bakery\n/,
  ),
  row(
    'agents import, a number of others',
    (one) => ['agents', 'import', agentFolder(one), '--account', 'First'],
    /Number 810N belongs to another account/,
    refused,
  ),
  row(
    'agents import, taken',
    (one) => ['agents', 'import', agentFolder(one), '--account', 'First', '--take'],
    /Shop OWN +810N +1/,
  ),
  row(
    'agents publish',
    async (one) => ['agents', 'publish', await draftOf(one), '--account', 'First'],
    /answers calls, version 2/,
  ),
  row(
    'agents publish, failing',
    async (one) => ['agents', 'publish', await failingOf(one), '--account', 'First'],
    /Failing OWN: Not published, .*expected/,
    refused,
  ),
  row(
    'agents publish, unknown',
    fixed('agents', 'publish', 'Nobody', '--account', 'First'),
    /First has no agent Nobody/,
    refused,
  ),
  row(
    'agents test',
    (one) => ['agents', 'test', join(agentFolder(one), 'shop.yaml')],
    /ok +hours[\s\S]*FAIL +nonsense[\s\S]*expected/,
    { code: 1, alike: timeless },
  ),
  row(
    'agents test, one',
    (one) => ['agents', 'test', join(agentFolder(one), 'shop.yaml'), '--only', 'hours'],
    /1 passed, 0 failed/,
    { alike: timeless },
  ),
];

/** A file of that name beside the configuration. */
function fileNamed(name: string, text: string): string {
  const path = join(folder.dir, name);
  writeFileSync(path, text);
  return path;
}
const OF_SHOP = ['Corner Bakery', '--account', 'First'];
const documents = (verb: string, ...args: string[]): string[] => [
  'agents',
  'documents',
  verb,
  ...args,
  ...OF_SHOP.slice(1),
];
const add = (path: string, ...more: string[]): string[] => documents('add', OF_SHOP[0]!, path, ...more);
const idless = (text: string): string => text.replace(/doc_[a-z0-9]{20}/g, 'doc_ID');

const DOCUMENTS: Row[] = [
  row('agents documents, none', fixed(...documents('list', 'Corner Bakery')), 'nothing to show'),
  row(
    'agents documents add',
    (one) => add(fileNamed(`fees ${one.name}.txt`, 'A loaf costs twelve riyals.')),
    /^fees OWN\.txt: ready, pages 1, words 5 \(doc_ID\)$/m,
    { alike: idless },
  ),
  row(
    'agents documents add, the same again',
    (one) => add(fileNamed(`fees ${one.name}.txt`, 'A loaf costs twelve riyals.')),
    /There is a document fees OWN\.txt already/,
    refused,
  ),
  row(
    'agents documents add, what has no text',
    (one) => add(fileNamed(`none ${one.name}.txt`, '   ')),
    /none OWN\.txt: failed: There is no text in it\./,
    { code: 1, alike: idless },
  ),
  row(
    'agents documents add, nothing',
    (one) => add(fileNamed(`empty ${one.name}.txt`, '')),
    /File is required/,
    refused,
  ),
  row(
    'agents documents add, a picture',
    (one) => add(fileNamed(`a ${one.name}.png`, '\u0089PNG\u0000')),
    /png|octet-stream|not read/i,
    refused,
  ),
  row('agents documents add, no file', fixed(...add('/nowhere/fees.txt')), /cannot be read: ENOENT/, refused),
  row(
    'agents documents add, to nobody',
    (one) => ['agents', 'documents', 'add', 'Nobody', fileNamed(`x ${one.name}.txt`, 'x'), '--account', 'First'],
    /First has no agent Nobody/,
    refused,
  ),
  row(
    'agents documents list',
    fixed(...documents('list', 'Corner Bakery')),
    /fees OWN\.txt +1 kB +1 +5 +ready[\s\S]*failed: There is no text in it\./,
    { alike: idless },
  ),
  row(
    'agents documents remove',
    (one) => documents('remove', 'Corner Bakery', `fees ${one.name}.txt`),
    /fees OWN\.txt is removed/,
    { alike: idless },
  ),
  row(
    'agents documents remove, unknown',
    fixed(...documents('remove', 'Corner Bakery', 'fees.txt')),
    /has no document fees\.txt/,
    refused,
  ),
  row(
    'agents documents add, which nobody waits for',
    (one) => add(fileNamed(`later ${one.name}.txt`, 'Open from seven.'), '--wait', '0'),
    /later OWN\.txt: queued: `agents documents list` tells when it is ready/,
    { alike: idless },
  ),
];

const CALLS: Row[] = [
  row('calls list', fixed('calls', 'list'), /callee-hangup \(callee\)/, { alike: recordings }),
  row('calls list, few', fixed('calls', 'list', '--limit', '1'), /call_ID/, { alike: recordings }),
  row('calls show', async () => ['calls', 'show', id('calls')], /Hello <b>there<\/b>/, { alike: recordings }),
  row(
    'calls show, by the SIP Call-ID, of another account',
    async () => ['calls', 'show', `${id('calls', 'theirs')}@sip`],
    /4521/,
    { alike: recordings },
  ),
  row('calls show, unknown', fixed('calls', 'show', 'call_none'), /No call call_none/, refused),
  row('calls ladder', async () => ['calls', 'ladder', id('calls', 'theirs')], /INVITE/),
  row('calls ladder, whole', async () => ['calls', 'ladder', id('calls'), '--full'], /udp\/192\.0\.2\.7/),
  row('calls ladder, unknown', fixed('calls', 'ladder', 'nobody'), /No SIP messages of a call nobody/, refused),
  row(
    'calls refused',
    fixed('calls', 'refused'),
    /198\.51\.100\.21[\s\S]*what helps|what helps[\s\S]*198\.51\.100\.21/,
  ),
  row(
    'calls turn-ends',
    fixed('calls', 'turn-ends'),
    /ar +4 +4 +50\.0 % +100\.0 % +0\.0 % +0\.0 % +310 ms +30 ms, 40 ms/,
  ),
  row('calls turn-ends, at another limit', fixed('calls', 'turn-ends', '--complete', '0.7'), /ar +4 +4 +100\.0 %/),
  row('calls out', fixed('calls', 'out'), /ended: callee-hangup/),
  row('calls out of one', fixed('calls', 'out', '--account', 'Second', '--limit', '1'), /ord_ID/),
  row(
    'call --agent',
    async (one) => [
      'call',
      '--agent',
      await liveOf(one),
      '--to',
      'phone:mine',
      '--account',
      'First',
      '--variable',
      'a=b',
    ],
    /ord_ID +queued/,
  ),
  row(
    'call --agent, once for a key',
    (one) => ['call', '--agent', `Live ${one.name}`, '--to', 'phone:mine', '--account', 'First', '--key', one.name],
    /ord_ID +queued/,
  ),
  row(
    'call --agent, again for the key',
    (one) => ['call', '--agent', `Live ${one.name}`, '--to', 'phone:mine', '--account', 'First', '--key', one.name],
    /ord_ID +queued/,
  ),
  row(
    'call --agent, another for the key',
    (one) => ['call', '--agent', `Live ${one.name}`, '--to', 'phone:other', '--account', 'First', '--key', one.name],
    /Not called \(key-reused\)/,
    refused,
  ),
  row(
    'call --agent, nobody',
    fixed('call', '--agent', 'Nobody', '--to', 'phone:mine', '--account', 'First'),
    'Not called (no-such-agent): No agent Nobody.',
    refused,
  ),
  row(
    'call --agent, no number',
    (one) => ['call', '--agent', `Live ${one.name}`, '--to', 'ahmed', '--account', 'First'],
    /Not called \(bad-number\): Not a number/,
    refused,
  ),
  row('call status', async () => ['call', 'status', id('orders', 'theirs')], /state +ended: callee-hangup/),
  row('call status, unknown', fixed('call', 'status', 'ord_none'), /No call ord_none was ordered/, refused),
  row('call cancel', async (one) => ['call', 'cancel', await orderOf(one)], /ended: cancelled/),
  row('call cancel, unknown', fixed('call', 'cancel', 'ord_none'), /No call ord_none was ordered/, refused),
  row(
    'call dnc add',
    (one) => ['call', 'dnc', 'add', `05000${one.number}0`, '--account', 'First', '--note', 'asked, "for it"'],
    /\+9665000810N0 +is not called any more/,
  ),
  row(
    'call dnc add, again',
    (one) => ['call', 'dnc', 'add', `+9665000${one.number}0`, '--account', 'First'],
    /was on the list before/,
  ),
  row(
    'call dnc add, for all',
    (one) => ['call', 'dnc', 'add', `+9665000${one.number}9`, '--all'],
    /is not called any more/,
  ),
  row('call dnc add, no number', fixed('call', 'dnc', 'add', 'ahmed', '--all'), /ahmed is no number/, refused),
  row('call dnc list', fixed('call', 'dnc', 'list'), /all/),
  row('call dnc list of one', fixed('call', 'dnc', 'list', '--account', 'Second'), /\+966500000777/),
  row(
    'call dnc remove',
    (one) => ['call', 'dnc', 'remove', `+9665000${one.number}0`, '--account', 'First'],
    /may be called again/,
  ),
  row(
    'call dnc remove, not there',
    (one) => ['call', 'dnc', 'remove', `+9665000${one.number}0`, '--account', 'First'],
    /\+9665000810N0 is not on the list/,
    refused,
  ),
  row(
    'call dnc remove, for all',
    (one) => ['call', 'dnc', 'remove', `+9665000${one.number}9`, '--all'],
    /may be called again/,
  ),
];

const SIGNALLING: Row[] = [
  row(
    'trunk add',
    (one) => [
      'trunk',
      'add',
      '--name',
      one.name,
      '--source',
      `203.0.${one.number.slice(-1)}.1`,
      '--host',
      'sip:127.0.0.1:9',
    ],
    /operator: all accounts/,
    { alike: sources },
  ),
  row(
    'trunk add, anew',
    (one) => ['trunk', 'add', '--name', one.name, '--source', `203.0.${one.number.slice(-1)}.1`, ...ANEW],
    /may call +\+966/,
    { alike: sources },
  ),
  row(
    'trunk add, of an account',
    (one) => ['trunk', 'add', trunkFile(one), '--account', 'Second'],
    /password missing|signs in as/,
    { alike: sources },
  ),
  row(
    'trunk add, taken',
    (one) => ['trunk', 'add', '--name', `${one.name}2`, '--source', '198.51.100.7'],
    /takes the calls of 198\.51\.100\.7 already/,
    { code: 1, alike: (text) => text.replace(/Not possible: /, '') },
  ),
  row('trunk add, no file', fixed('trunk', 'add'), /Name a trunk file/, refused),
  row('trunk list', fixed('trunk', 'list'), /operator/, { alike: sources }),
  row('trunk list of one', fixed('trunk', 'list', '--account', 'Second'), /operator/, { alike: sources }),
  row('trunk show', (one) => ['trunk', 'show', `carrier-${one.name}`], /500123 in carrier\.example, password stored/, {
    alike: sources,
  }),
  row('trunk show, unknown', fixed('trunk', 'show', 'nobody'), /No single trunk nobody\. There are: /, {
    code: 1,
    alike: sources,
  }),
  row('trunk off', (one) => ['trunk', 'off', one.name], /OWN is off: its calls in are refused/),
  row('trunk list with one that is off', fixed('trunk', 'list'), /\(off\)/, { alike: sources }),
  row('trunk on', (one) => ['trunk', 'on', one.name], /OWN is on: it takes and sends calls/),
  row('number off', (one) => ['number', 'off', one.number, '--account', 'First'], /is off: calls to it are refused/),
  row('number on', (one) => ['number', 'on', one.number, '--account', 'First'], /is on, within 5 seconds/),
  row(
    'number on, unknown',
    fixed('number', 'on', '70001', '--account', 'Second'),
    /Account Second has no number 70001/,
    refused,
  ),
  row('trunk remove', (one) => ['trunk', 'remove', one.name], /its calls in are refused/),
  row(
    'phone create',
    (one) => ['phone', 'create', `desk-${one.name}`, '--account', 'First'],
    /target +phone:desk-OWN/,
    { alike: password },
  ),
  row(
    'phone create, taken',
    (one) => ['phone', 'create', `desk-${one.name}`, '--account', 'First'],
    /Choose another --user/,
    refused,
  ),
  row('phone list', fixed('phone', 'list'), /mine/),
  row('phone show', (one) => ['phone', 'show', `desk-${one.name}`], /realm +nidaa/),
  row(
    'phone show, unknown',
    fixed('phone', 'show', 'nobody', '--account', 'Second'),
    /No single phone nobody/,
    refused,
  ),
  row('phone remove', (one) => ['phone', 'remove', `desk-${one.name}`], /it can register no more/),
  row('route in, taken', async (one) => ['route', one.number, '--from', await trunkForShop()], /answered by +Shop OWN/),
  row(
    'route in, a stranger',
    fixed('route', '1000', '--from', '203.0.113.9', '--caller', '+966500000001'),
    /nobody who may call/,
    refused,
  ),
  row('route in, no address', fixed('route', '1000'), /--from 203\.0\.113\.9/, refused),
  row(
    'route out',
    async () => ['route', '+966512345678', '--out', '--account', await trunkOut()],
    /goes by +trunk way/,
  ),
  row(
    'route out, not by this',
    async () => ['route', '+979123456789', '--out', '--account', await trunkOut()],
    /not called +not-allowed/,
    refused,
  ),
  row('route out, by no trunk', fixed('route', 'phone:mine', '--out', '--account', 'First'), /goes by +no trunk/),
  row('webhooks list', fixed('webhooks', 'list'), /https:\/\/example\.com\/theirs/),
  row('webhooks deliveries', async () => ['webhooks', 'deliveries', await deliveries()], /call\.ended|dlv_ID/),
  row(
    'webhooks deliveries, failed',
    async () => ['webhooks', 'deliveries', await deliveries(), '--state', 'failed'],
    /nothing to show|failed/,
  ),
  row(
    'webhooks replay',
    async () => ['webhooks', 'replay', await deliveries(), '--since', '2020-01-01T00:00:00Z'],
    /^sent again: 1/,
  ),
  row(
    'webhooks replay, one',
    async () => ['webhooks', 'replay', await deliveries(), '--delivery', await aDelivery()],
    /^sent again: 1/,
  ),
  row(
    'webhooks replay, no such delivery',
    async () => ['webhooks', 'replay', await deliveries(), '--delivery', 'dlv_none'],
    /has no delivery dlv_none/,
    refused,
  ),
  row(
    'webhooks replay, unknown',
    fixed('webhooks', 'replay', 'whk_none', '--since', '2020-01-01'),
    /No webhook whk_none/,
    refused,
  ),
];

describe.each([
  { of: 'accounts, tokens, keys and people', rows: ACCOUNTS },
  { of: 'agents', rows: AGENTS },
  { of: 'documents of agents', rows: DOCUMENTS },
  { of: 'calls and orders', rows: CALLS },
  { of: 'trunks, phones, routes and webhooks', rows: SIGNALLING },
])('commands for $of', ({ rows }) => {
  // They build on one another: the first ones.
  it.each(EVERY_TEST ? rows : rows.slice(0, 2))(
    '$what: the same from afar',
    async ({ args, says, code = 0, alike }) => {
      const { here, afar } = await ways.results(async (one) => args(one), alike);
      expect(afar).toEqual(here);
      const [program, person] = here;
      expect([program!.code, person!.code]).toEqual([code, code]);
      if (typeof says === 'string') expect(person!.text + person!.error).toContain(says);
      else expect(person!.text + person!.error).toMatch(says);
      if (person!.text !== '') expect(program!.json).not.toBeNull();
    },
  );
});

const tokenOf = async (accountId: string, one: Own) => (await rig.store.tokens.create(accountId, one.name)).token.id;
const keyOf = async (one: Own) => (await rig.store.managementKeys.create(rig.accountId, one.name, ['read'])).key.id;
const draftOf = async (one: Own) =>
  (await rig.store.agents.create(rig.accountId, { ...DEFINITION, name: `Draft ${one.name}` })).id;

async function failingOf(one: Own): Promise<string> {
  const { id: agent } = await rig.store.agents.create(rig.accountId, { ...DEFINITION, name: `Failing ${one.name}` });
  await rig.store.agentTests.put(rig.accountId, agent, { yaml: TESTS, required: true });
  return `Failing ${one.name}`;
}

async function liveOf(one: Own): Promise<string> {
  const definition = { ...DEFINITION, name: `Live ${one.name}` };
  const agent = await rig.store.agents.create(rig.accountId, definition, 'live');
  await rig.store.numbers.assign(`7${one.number}`, rig.accountId, agent.id);
  return agent.id;
}

/** An order of the other account that waits. */
async function orderOf(one: Own): Promise<string> {
  const { order } = await callOf(rig.store, rig.otherAccountId, id('agents', 'theirs'), { from: one.number });
  await rig.store.pool.query(
    `UPDATE dial_orders SET state = 'queued', end_reason = NULL, call_id = NULL WHERE id = $1`,
    [order],
  );
  return order;
}

const PASSWORD_VARIABLE = 'CARRIER_PASSWORD_OF_TESTS';
function trunkFile(one: Own): string {
  const path = join(folder.dir, `${one.name}.yaml`);
  const outbound = `{ username: "500123", realm: carrier.example, passwordEnv: ${PASSWORD_VARIABLE} }`;
  const sources = `inbound: { sources: [203.0.113.${Number(one.number) - 8000}] }`;
  writeFileSync(
    path,
    `name: carrier-${one.name}\nhosts: [{ uri: "sip:sip.carrier.example" }]\noutbound: ${outbound}\n${sources}\n`,
  );
  process.env[PASSWORD_VARIABLE] = 'secret';
  expect(loadTrunks(path, process.env)).toHaveLength(1);
  return path;
}

/** A trunk of the account that has the shops by now. @returns where its calls come from. */
async function trunkForShop(): Promise<string> {
  const address = '198.51.100.99';
  await ways.run('here', ['trunk', 'add', '--name', 'shops', '--source', address, '--account', 'First']);
  return address;
}
async function trunkOut(): Promise<string> {
  const made = ['--name', 'way', '--host', 'sip:127.0.0.1:9', '--allow', '+966', '--account', 'Second'];
  await ways.run('here', ['trunk', 'add', ...made]);
  return 'Second';
}

/** A webhook of the other account with one delivery, which was given up. */
async function deliveries(): Promise<string> {
  const { store } = rig;
  const webhook = id('webhooks', 'theirs');
  if ((await store.webhookDeliveries.list(webhook, { limit: 1 })).length === 0) {
    await store.webhookDeliveries.addTest(webhook, rig.otherAccountId);
  }
  const history = [
    { at: '2026-01-02T03:04:05.678Z', status: 500, ms: 4, error: 'answered 500', answer: 'Oh' },
    { at: '2026-01-02T03:04:09.678Z', status: null, ms: 9, error: 'no answer' },
  ];
  await store.pool.query(
    `UPDATE webhook_deliveries SET type = 'call.ended', state = 'failed', tries = 2, closed_at = now(), history = $2::jsonb WHERE webhook_id = $1`,
    [webhook, JSON.stringify(history)],
  );
  return webhook;
}
const aDelivery = async () => (await rig.store.webhookDeliveries.list(id('webhooks', 'theirs'), { limit: 1 }))[0]!.id;

function link(text: string): string {
  return text.replace(/(?:URL|http:\/\/127\.0\.0\.1:\d+)(?=\/console)/, 'BASE');
}
function password(text: string): string {
  return text.replace(/("password":"|password +)[\w-]{24}/, '$1SECRET');
}
/** At the gateway a file, from elsewhere where it is given. */
function recordings(text: string): string {
  return text.replace(/recordings\/a\.wav|URL\/manage\/v1\/calls\/call_ID\/recording/g, 'RECORDING');
}
function sources(text: string): string {
  return text.replace(/203\.0\.(?:113\.10[1-4]|[1-4]\.1)/g, 'SOURCE');
}
function timeless(text: string): string {
  return text.replace(/"(duration_ms|ms)":[\d.]+/g, '"$1":0').replace(/[\d.]+ m?s\b/g, 'N');
}
