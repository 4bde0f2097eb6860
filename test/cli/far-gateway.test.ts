import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownVersion } from '../../src/cli/own-version.ts';
import { ManageClient } from '../../src/cli/remote/manage-client.ts';
import { systemClock } from '../../src/core/clock.ts';
import { pairFor } from '../support/certificates.ts';
import { runHere, runNidaa } from '../support/command-line.ts';
import { configFolder } from '../support/config-folder.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { DEFINITION, TRUNK } from '../support/manage-things.ts';
import { freeTcpPort } from '../support/ports.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { until } from '../support/until.ts';

const WELL_FORMED = `manage_sk_${'a'.repeat(43)}`;
const READ = ['account', 'list'];

let rig: ManageRig;
let folder: ReturnType<typeof configFolder>;
const servers: Server[] = [];
beforeAll(async () => {
  rig = await manageRig(() => ({ clock: systemClock }));
  folder = configFolder({});
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  folder?.remove();
  await rig?.close();
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runHere({ NIDAA_DATA_DIR: '/nowhere', DATABASE_URL: '', NIDAA_URL: rig.url, NIDAA_KEY: rig.key, ...env }, args);

/** Something else that listens. */
async function listening(
  answer: RequestListener,
  tls?: { readonly cert: string; readonly key: string },
): Promise<string> {
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function keyFile(text: string, mode: number): string {
  const path = join(folder.dir, `${mode.toString(8)}.key`);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe('a gateway elsewhere', () => {
  it.each([
    { what: 'no key', env: { NIDAA_KEY: '' }, says: /^error: No key for http.*set NIDAA_KEY.* Without NIDAA_URL/ },
    {
      what: 'a token of the public API',
      env: { NIDAA_KEY: 'service_sk_live_x' },
      says: /NIDAA_KEY has a token of the public API/,
    },
    {
      what: 'something else for a key',
      env: { NIDAA_KEY: 'hush' },
      says: /NIDAA_KEY has no management key/,
      hides: 'hush',
    },
    {
      what: 'a key and no gateway',
      env: { NIDAA_URL: '' },
      args: ['--key-file', 'x'],
      says: /--key-file is for the gateway/,
    },
    {
      what: 'a file that is not there',
      args: ['--key-file', '/nowhere/x'],
      says: /\/nowhere\/x cannot be read: ENOENT/,
    },
    { what: 'no scheme', args: ['--url', 'example.com'], says: /not the address of a gateway\. Example/ },
    { what: 'another scheme', args: ['--url', 'ftp://example.com'], says: /not the address of a gateway/ },
    { what: 'a path', args: ['--url', 'https://example.com/manage/v1'], says: /not the address of a gateway/ },
    {
      what: 'a password',
      args: ['--url', 'https://a:hush@example.com'],
      says: /not the address of a gateway/,
      hides: 'hush',
    },
  ])('is refused with $what, before anything is asked', async ({ env, args = [], says, hides = 'manage_sk_' }) => {
    const { code, stdout, stderr } = await run([...READ, ...args], { ...env } as unknown as Record<string, string>);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(says);
    expect(stderr.replace('manage_sk_...', '')).not.toContain(hides);
  });

  it('that is named and has no key is not taken for the one of this machine', async () => {
    const { code, stdout, stderr } = await run([...READ, '--url', rig.url], { NIDAA_URL: '', NIDAA_KEY: '' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: No key for http:\/\/127\.0\.0\.1:\d+: .* makes one\.\n$/);
  });

  it('does not take any key', async () => {
    const wrong = await run([...READ, '--json'], { NIDAA_KEY: WELL_FORMED });
    const [, error] = wrong.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    expect([wrong.code, error?.['code']]).toEqual([3, 'unauthorized']);
    expect(error?.['error']).toMatch(/takes no such key: it is wrong, was revoked, or is of another gateway/);
    const viewer = await rig.keyWith('read');
    const lacks = await run(['token', 'create'], { NIDAA_KEY: viewer });
    expect([lacks.code, lacks.stdout]).toEqual([3, '']);
    expect(lacks.stderr).toMatch(/This needs the scope account\. A key may what `keys create --scope \.\.\.` gives it/);
    const owner = await rig.keyWith('read', 'account', 'agents', 'calls');
    const half = await run(['account', 'create', '--name', 'X', '--credit', '5'], { NIDAA_KEY: owner });
    expect([half.code, half.stderr]).toEqual([1, expect.stringContaining('The key lacks the scope operator.')]);
    expect((await rig.store.accounts.list()).map(({ name }) => name)).toEqual(['First', 'Second']);
  });

  it('shows an account its own things, and of the operator what it calls by', async () => {
    await run(['trunk', 'add', '--name', 'shared', '--source', '198.51.100.60']);
    await run(['token', 'create', '--account', 'Second', '--name', 'hidden']);
    const own = await rig.keyWith('read', 'account');
    const shown = async (...args: string[]) => JSON.parse((await run([...args, '--json'], { NIDAA_KEY: own })).stdout);
    expect(await shown('account', 'list')).toMatchObject([{ name: 'First' }]);
    expect(await shown('token', 'list')).toEqual([]);
    const [trunk] = await shown('trunk', 'list');
    expect(trunk).toEqual({ trunk_id: trunk.trunk_id, account_id: null, name: 'shared', enabled: true, status: [] });
    const person = await run(['trunk', 'list'], { NIDAA_KEY: own });
    expect(person.stdout).toMatch(/shared +operator +- +- +- +-/);
    expect((await run(['trunk', 'show', 'shared'], { NIDAA_KEY: own })).stdout).toMatch(/account +operator/);
    expect((await run(['token', 'list', '--account', 'Second'], { NIDAA_KEY: own })).stderr).toMatch(
      /No single account Second/,
    );
  });

  it('takes orders of a key that may not read', async () => {
    const key = await rig.keyWith('account');
    const { code, stdout } = await run(['token', 'create', '--name', 'blind', '--json'], { NIDAA_KEY: key });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { account_id: rig.accountId }]);
  });

  it('asks the hosts of a trunk itself', async () => {
    const file = join(folder.dir, 'asked.yaml');
    writeFileSync(file, JSON.stringify({ ...TRUNK, name: 'asked', inbound: { sources: ['198.51.100.61'] } }));
    await run(['trunk', 'add', file]);
    const program = await run(['trunk', 'test', 'asked', '--json']);
    expect([program.code, JSON.parse(program.stdout)]).toEqual([
      ...[1, [{ uri: 'sip:sbc.example.net', ok: false, why: 'silent' }]],
    ]);
    expect((await run(['trunk', 'test', 'asked'])).stdout).toMatch(
      /silent +sip:sbc[\s\S]*by the gateway, from where its calls go out/,
    );
  });

  it.runIf(EVERY_TEST)('is waited for until a call that was ordered is over', async () => {
    const { store, accountId } = rig;
    const agent = await store.agents.create(accountId, DEFINITION, 'live');
    await store.numbers.assign('7001', accountId, agent.id);
    await store.phones.create(accountId, { name: 'desk', username: 'desk', realm: 'nidaa' });
    await store.charges.topup('chg_of_a_test', accountId, 100, 'topup', 'of a test');
    const env = { NIDAA_DATA_DIR: '/nowhere', NIDAA_URL: rig.url, NIDAA_KEY: rig.key };
    const order = ['call', '--agent', agent.id, '--to', 'phone:desk', '--account', 'First', '--wait'];
    const waiting = runNidaa(env, order);
    const placed = await until(async () => (await store.dialOrders.list({ accountId }))[0]);
    await store.pool.query(
      `UPDATE dial_orders SET state = 'ended', answered_at = now(), ended_at = now(), end_reason = 'callee-hangup' WHERE id = $1`,
      [placed.id],
    );
    const { code, stdout } = await waiting;
    expect([code, stdout]).toEqual([0, `${placed.id}  queued\n${placed.id}  ended: callee-hangup\n`]);
  });

  it.each([
    { args: ['doctor'], says: 'doctor looks at the machine that it runs on' },
    { args: ['chat', '1000'], says: 'chat talks to the agent of a file' },
    { args: ['agents', 'validate'], says: 'agents validate reads files' },
    { args: ['agents', 'new', 'X', '--language', 'en'], says: 'agents new writes a file' },
    { args: ['call', 'sip:1000@127.0.0.1:1'], says: 'A call to a SIP URI is made from this machine' },
  ])('is nothing for $args', async ({ args, says }) => {
    for (const more of [
      ['--url', rig.url],
      ['--key-file', 'x'],
    ]) {
      const { code, stdout, stderr } = await run([...args, ...more]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(new RegExp(`^error: ${says}.*: leave out --url and --key-file\\.\\n$`));
    }
  });

  it('is no key for the public API', async () => {
    const { code, stderr } = await run(['voices', '--token', 'x', '--key-file', 'x']);
    expect([code, stderr]).toEqual([1, 'error: The public API takes no management key: give a token.\n']);
  });
});

describe('a key file', () => {
  it.each([
    { mode: 0o600, warned: false },
    { mode: 0o640, warned: true },
    { mode: 0o644, warned: true },
  ])('of mode $mode', async ({ mode, warned }) => {
    const path = keyFile(`${rig.key}\n`, mode);
    const { code, stderr, stdout } = await run([...READ, '--key-file', path], { NIDAA_KEY: '' });
    expect([code, stdout.includes('First')]).toEqual([0, true]);
    expect(stderr.includes(`${path} can be read by others (mode ${mode.toString(8)}): chmod 600 ${path}`)).toBe(warned);
    expect(stderr).not.toContain(rig.key);
  });

  it('goes before the environment, and is empty for nobody', async () => {
    const path = keyFile('', 0o400);
    expect((await run([...READ, '--key-file', path])).stderr).toContain('is empty: a management key is wanted');
  });
});

describe('what listens there', () => {
  it('nothing', async () => {
    const url = `http://127.0.0.1:${await freeTcpPort()}`;
    const { code, stdout, stderr } = await run([...READ, '--json'], { NIDAA_URL: url });
    expect([code, stdout]).toEqual([4, '']);
    expect(JSON.parse(stderr)).toEqual({
      error: `The gateway at ${url} cannot be reached: ECONNREFUSED.`,
      code: 'unreachable',
    });
  });

  it.runIf(EVERY_TEST)('over a network that others may read, which is told', async () => {
    const { code, stderr } = await run(READ, { NIDAA_URL: 'http://nobody.invalid' });
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^note: the key goes to http:\/\/nobody\.invalid unencrypted: https keeps it\nerror: .*cannot be reached/,
    );
  });

  it('no gateway', async () => {
    const url = await listening((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<p>Hello'),
    );
    const { code, stderr } = await run(READ, { NIDAA_URL: url });
    expect([code, stderr]).toEqual([
      4,
      `error: What answers at ${url} is no gateway of ours (200): The answer is not JSON.\n`,
    ]);
  });

  it('a redirection, which the key does not follow', async () => {
    const asked: (string | undefined)[] = [];
    const there = await listening((request, response) => {
      asked.push(request.headers.authorization);
      response.end('{}');
    });
    const url = await listening((request, response) =>
      response.writeHead(301, { location: `${there}${request.url}` }).end(),
    );
    const { code, stderr } = await run(READ, { NIDAA_URL: url });
    expect([code, asked]).toEqual([4, []]);
    expect(stderr).toContain(`The address leads on to ${there}: give that one.`);
  });

  it('a gateway of another version, which says so; what it does not know is said with both versions', async () => {
    const newer = await run(READ);
    expect(newer.stderr).toBe(`note: the gateway is version 1.2.3, this command ${ownVersion()}\n`);
    const asJson = await run([...READ, '--json']);
    expect(JSON.parse(asJson.stderr)).toEqual({ note: `the gateway is version 1.2.3, this command ${ownVersion()}` });
    const body = JSON.stringify({ error: { code: 'not_found', message: 'There is nothing here.' } });
    const url = await listening((_request, response) =>
      response.writeHead(404, { 'x-service-version': '0.0.9', 'content-type': 'application/json' }).end(body),
    );
    const { code, stderr } = await run(READ, { NIDAA_URL: url });
    expect(code).toBe(3);
    expect(stderr).toContain(`is version 0.0.9 and knows nothing of it; this command is ${ownVersion()}.`);
  });

  it.runIf(EVERY_TEST)('a certificate that nobody believes, or that an authority of ours has signed', async () => {
    const pair = pairFor(['127.0.0.1']);
    const url = await listening((request, response) => {
      const { headers, method = 'GET' } = request;
      void fetch(`${rig.url}${request.url}`, {
        method,
        headers: { authorization: String(headers.authorization) },
      }).then(async (answer) =>
        response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text()),
      );
    }, pair);
    const refused = await run([...READ, '--json'], { NIDAA_URL: url });
    expect([refused.code, refused.stdout]).toEqual([4, '']);
    const { error, code } = JSON.parse(refused.stderr) as { error: string; code: string };
    expect(code).toBe('untrusted_certificate');
    expect(error).toMatch(
      /^The certificate of https:\S+ is not believed: DEPTH_ZERO_SELF_SIGNED_CERT\. NODE_EXTRA_CA_CERTS=FILE names/,
    );
    const ca = join(folder.dir, 'ca.pem');
    writeFileSync(ca, pair.cert);
    const env = { NIDAA_URL: url, NIDAA_KEY: rig.key, NODE_EXTRA_CA_CERTS: ca };
    const believed = await runNidaa(env, [...READ, '--json']);
    expect([believed.code, JSON.parse(believed.stdout)]).toMatchObject([0, [{ name: 'First' }, { name: 'Second' }]]);
  });

  it.runIf(EVERY_TEST)('something that never answers, or never ends', async () => {
    const ask = (baseUrl: string) =>
      new ManageClient({ baseUrl, key: WELL_FORMED, version: '1', timeoutMs: 400, warn: () => undefined }).ask({
        path: '/x',
      });
    const silent = await listening(() => undefined);
    await expect(ask(silent)).rejects.toMatchObject({
      ...{ code: 'client_timeout', message: `The gateway at ${silent} gives no answer. No answer within 400 ms.` },
    });
    const mebibyte = Buffer.alloc(1024 * 1024, 32);
    let mebibytes = 0;
    const endless = await listening((_request, response) => {
      response.setHeader('x-service-version', '1');
      const more = (): void => {
        mebibytes += 1;
        if (!response.destroyed && mebibytes < 200) response.write(mebibyte, more);
      };
      more();
    });
    const client = new ManageClient({ baseUrl: endless, key: WELL_FORMED, version: '1', warn: () => undefined });
    await expect(client.ask({ path: '/x' })).rejects.toMatchObject({ message: 'The answer does not end.' });
    expect(mebibytes).toBeLessThan(100);
  });

  it.runIf(EVERY_TEST)('lists that do not end', async () => {
    let pages = 0;
    const page = { items: Array.from({ length: 200 }, () => ({})), next: 'more' };
    const url = await listening((_request, response) => {
      pages += 1;
      response.setHeader('x-service-version', '1').end(JSON.stringify(page));
    });
    const client = new ManageClient({ baseUrl: url, key: WELL_FORMED, version: '1', warn: () => undefined });
    expect(await client.all({ path: '/x' }, 450)).toHaveLength(450);
    pages = 0;
    await expect(client.all({ path: '/x' })).rejects.toThrow('There are more than 20000');
    expect(pages).toBe(100);
  });
});
