import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/core/management.ts';
import { MANAGE_ERRORS } from '../../src/manage/manage-error.ts';
import { expectEveryRow } from '../support/labelled-rows.ts';
import type { DescribedOperation } from '../support/manage-document.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { foreignThings } from '../support/manage-things.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

interface Code {
  readonly error: { readonly code: string; readonly message: string };
}

let rig: ManageRig;
/** Ids of things of the other account, by what stands before `{id}` in a path. */
let foreign: ReadonlyMap<string, string>;
beforeAll(async () => {
  rig = await manageRig();
  foreign = await foreignThings(rig);
});
afterAll(() => rig?.close());

const label = ({ method, path }: DescribedOperation): string => `${method} ${path}`;
const filled = (path: string, id: string): string => path.replace(/\{\w+\}/, id).replace(/\{\w+\}/g, '1');
const closed = (): DescribedOperation[] => rig.document.operations.filter(({ isOpen }) => !isOpen);
const pathOf = (one: DescribedOperation): string => `${one.method} ${filled(one.path, 'nobody')}`;

describe('the document', () => {
  it('is OpenAPI 3.1 and for everyone to read', async () => {
    const { status, headers, body } = await rig.ask<{ openapi: string }>('GET /openapi.json', { key: null });
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
    });
    expect(body.openapi).toBe('3.1.0');
    const ids = rig.document.operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has an example of every body, and each example is as its shape says', () => {
    expectEveryRow(rig.document.operations, label, ({ body, answers }) => {
      if (body) {
        expect(body.example).toBeDefined();
        expect(rig.document.faults(body.schema, body.example)).toEqual([]);
      }
      for (const answer of Object.values(answers)) {
        if (answer?.example !== undefined) expect(rig.document.faults(answer.schema, answer.example)).toEqual([]);
      }
    });
  });

  it('names every error code that only this API has', () => {
    const written = JSON.stringify(rig.document.written.paths);
    expect(Object.keys(MANAGE_ERRORS).filter((code) => !written.includes(`"${code}":{"value"`))).toEqual([]);
  });
});

describe('every operation', () => {
  it('refuses who has neither key nor session, and tokens of the public API', async () => {
    const { secret } = await rig.store.tokens.create(rig.accountId, 'public');
    const wrong = [null, 'manage_sk_wrong', secret, rig.key.slice(0, -1)];
    for (const [at, one] of closed().entries()) {
      for (const key of EVERY_TEST || at % 8 === 0 ? wrong : [null]) {
        const { status, body } = await rig.ask<Code>(pathOf(one), { key });
        expect([label(one), status, body.error.code]).toEqual([label(one), 401, 'unauthorized']);
      }
    }
    const revoked = await rig.store.managementKeys.create(rig.accountId, 'revoked', SCOPES);
    await rig.store.managementKeys.revoke(revoked.key.id);
    expect((await rig.ask('GET /session', { key: revoked.secret })).status).toBe(401);
  });

  it('refuses who lacks its scope, before it looks at anything else', async () => {
    for (const scope of SCOPES) {
      const key = await rig.keyWith(...SCOPES.filter((one) => one !== scope));
      for (const one of closed().filter((each) => each.scope === scope)) {
        const { status, body } = await rig.ask<Code>(pathOf(one), { key });
        expect([label(one), status, body.error.code]).toEqual([label(one), 403, 'missing_scope']);
      }
    }
    expect(closed().filter(({ scope, path }) => scope === undefined && !path.includes('/session'))).toEqual([]);
  });

  it("answers for another account's things as for none", async () => {
    const key = await rig.keyWith(...SCOPES.filter((scope) => scope !== 'operator'));
    const as = (one: DescribedOperation, id: string) =>
      rig.ask<Code>(`${one.method} ${filled(one.path, id)}`, {
        key: one.scope === 'operator' ? rig.key : key,
        ...(one.body && { body: one.body.example }),
      });
    // Sessions are of a person; a number that somebody else has is told apart from a free one.
    const apart = ['getNumber', 'assignNumber'];
    const withId = closed().filter(
      ({ pathParams, path, id }) => pathParams.length > 0 && !path.includes('/sessions') && !apart.includes(id),
    );
    expect(withId.length).toBeGreaterThan(5);
    for (const one of withId) {
      const kind = /\/([a-z-]+)\/\{/.exec(one.path)![1]!;
      const id = foreign.get(kind);
      expect(id, `a thing of the other account for ${one.path}`).toBeDefined();
      const nobodys = id!.startsWith('+') ? '+966000000000' : `${id!.slice(0, 4)}${'a'.repeat(id!.length - 4)}`;
      const [theirs, none] = [await as(one, id!), await as(one, nobodys)];
      expect([label(one), theirs.status, theirs.body.error?.code]).toEqual([label(one), 404, 'unknown_resource']);
      expect(theirs.text.replaceAll(id!, 'ID')).toBe(none.text.replaceAll(nobodys, 'ID'));
    }
  });

  it('is for another account only at the wish of an operator', async () => {
    const headers = { 'x-nidaa-account': rig.otherAccountId };
    const owner = await rig.keyWith('read');
    const refused = await rig.ask<Code>('GET /tokens', { key: owner, headers });
    expect([refused.status, refused.body.error.code]).toEqual([404, 'unknown_resource']);
    const nobody = await rig.ask<Code>('GET /tokens', { headers: { 'x-nidaa-account': 'acc_nobody' } });
    expect(nobody.status).toBe(404);
    const { body } = await rig.ask<{ items: { name: string }[] }>('GET /tokens', { headers });
    expect(body.items.map(({ name }) => name)).toEqual(['theirs']); // of `foreignThings`
  });

  it('is limited in its rate', async () => {
    const key = await rig.keyWith('read');
    const left = async (): Promise<number> =>
      Number((await rig.ask('GET /session', { key })).headers.get('ratelimit-remaining'));
    const first = await left();
    expect(await left()).toBe(first - 1);
  });
});

describe('keys and tokens', () => {
  it('are made, listed without their secrets, and revoked; a management key opens nothing of `/v1`', async () => {
    const key = await rig.ask<{ key: { id: string }; secret: string }>('POST /keys', {
      body: { name: 'k', scopes: ['read'] },
    });
    expect(key.body.secret).toMatch(/^manage_sk_[A-Za-z0-9]{43}$/);
    const token = await rig.ask<{ token: { id: string }; secret: string }>('POST /tokens', { body: { name: 't' } });
    expect((await rig.store.tokens.authenticate(token.body.secret))?.accountId).toBe(rig.accountId);
    expect(await rig.store.tokens.authenticate(key.body.secret)).toBeUndefined();
    const lists = [await rig.ask('GET /keys'), await rig.ask('GET /tokens'), await rig.ask('GET /audit')];
    for (const { status, text } of lists) {
      expect(status).toBe(200);
      expect(text).not.toContain(key.body.secret);
      expect(text).not.toContain(token.body.secret);
    }
    expect((await rig.ask('GET /session', { key: key.body.secret })).status).toBe(200);
    expect((await rig.ask(`DELETE /keys/${key.body.key.id}`)).status).toBe(204);
    expect((await rig.ask('GET /session', { key: key.body.secret })).status).toBe(401);
    expect((await rig.ask(`DELETE /keys/${key.body.key.id}`)).status).toBe(404);
    expect((await rig.ask(`DELETE /tokens/${token.body.token.id}`)).status).toBe(204);
    expect(await rig.store.tokens.authenticate(token.body.secret)).toBeUndefined();
    expect(await rig.unaudited()).toEqual([]);
  });

  it('get no scope that their maker does not have', async () => {
    const key = await rig.keyWith('account');
    const { status, body } = await rig.ask<Code>('POST /keys', {
      key,
      body: { name: 'k', scopes: ['account', 'operator'] },
    });
    expect([status, body.error.message]).toEqual([
      403,
      'You cannot give what you do not have yourself: the scopes operator.',
    ]);
  });

  it('keep their secrets out of the database', async () => {
    const { body } = await rig.ask<{ secret: string }>('POST /keys', {
      ...{ body: { name: 'canary', scopes: ['read'] }, headers: { 'idempotency-key': 'canary' } },
    });
    for (const table of ['management_keys', 'audit_entries', 'idempotency_keys', 'password_links', 'person_sessions']) {
      const { rows } = await rig.store.pool.query(
        `SELECT count(*)::int AS hits FROM ${table} t WHERE t::text LIKE $1`,
        [`%${body.secret}%`],
      );
      expect([table, rows[0].hits]).toEqual([table, 0]);
    }
  });
});

describe('lists', () => {
  it('come in pages that follow on each other, whatever is written meanwhile', async () => {
    for (let time = 0; time < 7; time += 1) await rig.ask('POST /tokens', { body: { name: `page ${time}` } });
    type Page = { items: { seq: number }[]; next: string | null };
    const seen: number[] = [];
    let next: string | null = '';
    while (next !== null) {
      const { body }: { body: Page } = await rig.ask<Page>(
        `GET /audit?limit=3&action=createToken${next && `&after=${next}`}`,
      );
      seen.push(...body.items.map(({ seq }) => seq));
      next = body.next;
      if (seen.length === 3) await rig.ask('POST /tokens', { body: { name: 'meanwhile' } });
    }
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
    expect(seen.length).toBeGreaterThanOrEqual(7);
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'after=%20', 'after=aGVsbG8'])('refuse %s', async (query) => {
    const { status, body } = await rig.ask<Code>(`GET /audit?${query}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  });
});
