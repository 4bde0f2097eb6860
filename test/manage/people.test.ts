import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { emailAddress, mayGive, PASSWORD_LINK_HOURS, ROLE_SCOPES } from '../../src/core/management.ts';
import { firstLink } from '../../src/manage/first-link.ts';
import { OWASP_COST, Passwords } from '../../src/manage/passwords.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { Browser, type ManageRig, manageRig } from '../support/manage-rig.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

const PASSWORD = 'three quiet palms';
interface Code {
  readonly error: { readonly code: string };
}
const secretOf = (link: string | undefined): string => link!.split('#')[1]!;

let rig: ManageRig;
beforeAll(async () => {
  rig = await manageRig();
});
afterAll(async () => {
  expect(await rig?.unaudited()).toEqual([]);
  await rig?.close();
});
/** Attempts of other tests count no more. */
const laterOn = (): void => rig.clock.advance(600_000);

async function invited(email: string, role = 'editor', password = PASSWORD): Promise<Browser> {
  laterOn();
  const { status, body } = await rig.ask<{ link_secret: string }>('POST /people', { body: { email, role } });
  expect(status).toBe(201);
  const browser = new Browser(rig);
  const used = await browser.ask('POST /session/link', { body: { secret: body.link_secret, password } });
  expect(used.status).toBe(200);
  return browser;
}

describe('words about people', () => {
  it.each([
    ['Noura@Example.com ', 'noura@example.com'],
    ['نورة@مثال.إختبار', 'نورة@مثال.إختبار'],
    ['no', undefined],
    ['a@b', undefined],
    ['a b@c.de', undefined],
    [`${'a'.repeat(65)}@b.cd`, undefined],
    [`a@${'b'.repeat(260)}.cd`, undefined],
  ])('%s is the address %s', (written, address) => {
    expect(emailAddress(written)).toBe(address);
  });

  it('nobody gives more than they have', () => {
    expect(mayGive(ROLE_SCOPES.owner, ROLE_SCOPES.editor)).toBe(true);
    expect(mayGive(ROLE_SCOPES.owner, ROLE_SCOPES.operator)).toBe(false);
    expect(mayGive(['account'], ['read'])).toBe(false);
  });
});

describe('passwords', () => {
  it('are argon2id with the cost of OWASP, each with a salt of its own, and match however they are typed', async () => {
    const passwords = new Passwords(systemClock);
    try {
      const [one, other] = await Promise.all([
        passwords.hash('caf\u00e9 in Riyadh'),
        passwords.hash('caf\u00e9 in Riyadh'),
      ]);
      expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
      expect(other).not.toBe(one);
      expect(await passwords.matches('cafe\u0301 in Riyadh', one)).toBe(true);
      expect(await passwords.matches('cafe in Riyadh', one)).toBe(false);
      expect(await passwords.matches('anything', undefined)).toBe(false);
      expect(OWASP_COST.nobodys.split('$').slice(0, 4)).toEqual(one.split('$').slice(0, 4)); // takes as long
    } finally {
      await passwords.close();
    }
  });

  it.runIf(EVERY_TEST)('are refused, and not piled up, when too many come at once', async () => {
    const passwords = new Passwords(new FakeClock());
    try {
      const asked = await Promise.allSettled(Array.from({ length: 20 }, () => passwords.matches('x', undefined)));
      const refused = asked.filter(({ status }) => status === 'rejected');
      expect(refused).toHaveLength(12);
      expect((refused[0] as PromiseRejectedResult).reason).toMatchObject({ code: 'unavailable' });
    } finally {
      await passwords.close();
    }
  });
});

describe('the first link', () => {
  it('makes the operator, once, and only while nobody is known', async () => {
    const link = await firstLink(rig.store, rig.accountId, rig.url);
    const other = await firstLink(rig.store, rig.accountId, rig.url); // of another gateway
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/welcome#[A-Za-z0-9]{43}$/);
    const browser = new Browser(rig);
    const use = (secret: string, more: object) =>
      browser.ask<Code & { role: string; name: string }>('POST /session/link', {
        body: { secret, password: PASSWORD, ...more },
      });
    expect((await use(secretOf(link), {})).body.error.code).toBe('invalid_request');
    expect((await use(secretOf(link), { email: 'a@b.cd', password: 'short' })).body.error.code).toBe('weak_password');
    const { body, headers } = await use(secretOf(link), { email: 'Operator@Example.com' });
    expect(body).toMatchObject({ role: 'operator', name: 'operator@example.com' });
    expect(headers.get('set-cookie')).toMatch(
      /^nidaa_session=[A-Za-z0-9]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=43200$/,
    );
    for (const used of [link, other])
      expect((await use(secretOf(used), { email: 'b@b.cd' })).body.error.code).toBe('unknown_link');
    expect(await firstLink(rig.store, rig.accountId, rig.url)).toBeUndefined();
    expect((await browser.ask('GET /session')).body).toMatchObject({ kind: 'person', role: 'operator' });
  });

  it('makes one operator where two are used at once, and only the latest are links', async () => {
    const { personAccess, pool } = rig.store;
    const operators = async () =>
      (await pool.query<{ count: number }>("SELECT count(*)::int AS count FROM people WHERE role = 'operator'"))
        .rows[0]!;
    const before = await operators();
    const secrets: string[] = [];
    for (let start = 0; start < 17; start += 1) secrets.push(await personAccess.createLink(rig.accountId, undefined));
    const use = (start: number, email: string) => personAccess.useLink(secrets[start]!, 'a hash', email);
    expect(await use(0, 'a@b.cd')).toBe('unknown');
    const both = await Promise.all([use(1, 'c@b.cd'), use(16, 'd@b.cd')]);
    expect(both.filter((used) => used === 'unknown').length).toBe(1);
    expect((await operators()).count).toBe(before.count + 1);
  });

  it('for somebody takes none of the first ones away', async () => {
    const { personAccess, pool, people } = rig.store;
    const first: string[] = [];
    for (let start = 0; start < 16; start += 1) first.push(await personAccess.createLink(rig.accountId, undefined));
    const person = (await people.create(rig.accountId, 'beside@example.com', 'viewer')) as { id: string };
    const theirs = await personAccess.createLink(rig.accountId, person.id);
    for (const one of first) expect(await personAccess.useLink(one, 'a hash', undefined)).toBe('no-email');
    expect(await personAccess.useLink(theirs, 'a hash', undefined)).toMatchObject({ personId: person.id });
    await pool.query('DELETE FROM password_links');
  });

  it('is no link any more after a day', async () => {
    const person = await rig.store.people.create(rig.accountId, 'late@example.com', 'viewer');
    const secret = await rig.store.personAccess.createLink(rig.accountId, (person as { id: string }).id);
    const { rows } = await rig.store.pool.query(
      `SELECT extract(epoch FROM expires_at - now()) / 3600 AS hours FROM password_links`,
    );
    expect(Number(rows[0].hours)).toBeCloseTo(PASSWORD_LINK_HOURS, 1);
    await rig.store.pool.query('UPDATE password_links SET expires_at = now()');
    const { body } = await new Browser(rig).ask<Code>('POST /session/link', { body: { secret, password: PASSWORD } });
    expect(body.error.code).toBe('unknown_link');
  });
});

describe('signing in', () => {
  it('opens a session, and reads the same for a wrong password and for nobody', async () => {
    await invited('sara@example.com');
    laterOn();
    const browser = new Browser(rig);
    const attempt = (email: string, password: string) =>
      browser.ask<Code & { role: string }>('POST /session', { body: { email, password } });
    const wrong = await attempt('sara@example.com', 'not the password');
    const nobody = await attempt('nobody@example.com', 'not the password');
    const noAddress = await attempt('no address', 'not the password');
    for (const { status, text } of [wrong, nobody, noAddress]) {
      expect({ status, text }).toEqual({ status: 401, text: wrong.text });
    }
    expect(browser.cookie).toBeUndefined();
    expect((await attempt(' SARA@example.com', PASSWORD)).body.role).toBe('editor');
    expect((await browser.ask('GET /session')).status).toBe(200);
  });

  it('is slowed down for one who guesses, also at many names', async () => {
    laterOn();
    const browser = new Browser(rig);
    const codes = async (email: (time: number) => string, times: number): Promise<string[]> => {
      const all: string[] = [];
      for (let time = 0; time < times; time += 1) {
        const { body } = await browser.ask<Code>('POST /session', { body: { email: email(time), password: 'guess' } });
        all.push(body.error.code);
      }
      return all;
    };
    expect(await codes(() => 'one@example.com', 6)).toEqual([...Array(5).fill('wrong_sign_in'), 'rate_limited']);
    const many = await codes((time) => `${time}@example.com`, 26);
    expect(many.filter((code) => code === 'wrong_sign_in')).toHaveLength(24);
    expect(many.at(-1)).toBe('rate_limited');
  });

  it.runIf(EVERY_TEST)('is for pages of the gateway alone', async () => {
    laterOn();
    const browser = await invited('csrf@example.com');
    const body = { name: 'x' };
    const refused = { status: 403, body: { error: { code: 'foreign_origin' } } };
    for (const origin of ['https://evil.example', 'null', `${rig.url}.evil.example`]) {
      expect(await browser.ask('POST /tokens', { body, headers: { origin } })).toMatchObject(refused);
      const signIn = { email: 'csrf@example.com', password: PASSWORD };
      expect(await browser.ask('POST /session', { body: signIn, headers: { origin } })).toMatchObject(refused);
    }
    const plain = { key: null, headers: { cookie: browser.cookie!, origin: rig.url } };
    expect(await rig.ask('DELETE /session', plain)).toMatchObject(refused);
    const noOrigin = { key: null, headers: { cookie: browser.cookie!, 'x-nidaa-console': '1' } };
    expect(await rig.ask('DELETE /session', noOrigin)).toMatchObject(refused);
    expect((await rig.ask('GET /session', { key: null, headers: { cookie: browser.cookie! } })).status).toBe(200);
  });

  it('marks the cookie as one for TLS, behind TLS', async () => {
    laterOn();
    const browser = await invited('tls@example.com');
    const { headers } = await browser.ask('GET /session', { headers: { 'x-forwarded-proto': 'https' } });
    expect(headers.get('set-cookie')).toMatch(/; Secure$/);
  });
});

describe('sessions', () => {
  it.runIf(EVERY_TEST)('are listed and revoked, each by its own person only', async () => {
    const [one, stranger] = [await invited('one@example.org'), await invited('two@example.org')];
    laterOn();
    const second = new Browser(rig);
    await second.ask('POST /session', { body: { email: 'one@example.org', password: PASSWORD } });
    type Listed = { items: { id: string; current: boolean }[] };
    const { items } = (await one.ask<Listed>('GET /sessions')).body;
    expect(items.map(({ current }) => current).sort()).toEqual([false, true]);
    const other = items.find(({ current }) => !current)!;
    expect((await stranger.ask(`DELETE /sessions/${other.id}`)).status).toBe(404);
    expect((await one.ask(`DELETE /sessions/${other.id}`)).status).toBe(204);
    expect((await second.ask('GET /session')).status).toBe(401);
    expect((await one.ask('DELETE /session')).status).toBe(204);
    expect(one.cookie).toBeUndefined();
  });

  it.runIf(EVERY_TEST)('end 12 hours after the last request', async () => {
    const browser = await invited('roll@example.org');
    const left = async (): Promise<number> => {
      const { rows } = await rig.store.pool.query(
        `SELECT extract(epoch FROM s.expires_at - now()) / 3600 AS hours FROM person_sessions s
         JOIN people p ON p.id = s.person_id WHERE p.email = 'roll@example.org'`,
      );
      return Number(rows[0].hours);
    };
    await rig.store.pool.query(`UPDATE person_sessions SET expires_at = now() + interval '1 hour'`);
    laterOn();
    await browser.ask('GET /session');
    await expect.poll(left).toBeCloseTo(12, 1);
    await rig.store.pool.query('UPDATE person_sessions SET expires_at = now()');
    rig.store.personAccess.forget(); // What is known of a session is remembered for a few seconds.
    expect((await browser.ask('GET /session')).status).toBe(401);
  });

  it.runIf(EVERY_TEST)('end with a new password, all but the one that sets it', async () => {
    const one = await invited('new@example.org');
    laterOn();
    const second = new Browser(rig);
    await second.ask('POST /session', { body: { email: 'new@example.org', password: PASSWORD } });
    const change = (current: string) =>
      one.ask<Code>('PUT /session/password', { body: { current, password: 'a new password' } });
    expect((await change('wrong')).body.error.code).toBe('wrong_sign_in');
    expect((await change(PASSWORD)).status).toBe(204);
    expect((await second.ask('GET /session')).status).toBe(401);
    expect((await one.ask('GET /session')).status).toBe(200);
  });

  it.runIf(EVERY_TEST)('end with the person, and do at once what a new role says', async () => {
    const browser = await invited('role@example.org', 'owner');
    const { id } = (await browser.ask<{ id: string }>('GET /session')).body;
    expect((await rig.ask(`PATCH /people/${id}`, { body: { role: 'viewer' } })).status).toBe(200);
    expect((await browser.ask<Code>('POST /tokens', { body: { name: 'x' } })).body.error.code).toBe('missing_scope');
    expect((await rig.ask(`DELETE /people/${id}`)).status).toBe(204);
    expect((await browser.ask('GET /session')).status).toBe(401);
  });
});

describe('people', () => {
  it('invite nobody who may do more than they, and leave somebody who may manage', async () => {
    const owner = await rig.store.people.create(rig.otherAccountId, 'boss@example.net', 'owner');
    const { id } = owner as { id: string };
    const as = { key: rig.otherKey };
    const up = await rig.ask<Code>('POST /people', { ...as, body: { email: 'x@example.net', role: 'operator' } });
    expect(up.body.error.code).toBe('too_mighty');
    expect((await rig.ask<Code>(`PATCH /people/${id}`, { ...as, body: { role: 'operator' } })).body.error.code).toBe(
      'too_mighty',
    );
    await rig.store.pool.query(`UPDATE people SET password_hash = 'x' WHERE id = $1`, [id]);
    for (const what of [`DELETE /people/${id}`, `PATCH /people/${id}`]) {
      const { body } = await rig.ask<Code>(what, { ...as, ...(what.startsWith('P') && { body: { role: 'viewer' } }) });
      expect(body.error.code).toBe('not_possible');
    }
    const taken = await rig.ask<Code>('POST /people', { body: { email: 'Boss@example.net', role: 'viewer' } });
    expect(taken.body.error.code).toBe('taken');
  });

  it.runIf(EVERY_TEST)('are not changed by who saw an older state', async () => {
    await invited('edit@example.net');
    const { items } = (await rig.ask<{ items: { id: string; email: string }[] }>('GET /people?limit=200')).body;
    const path = `/people/${items.find(({ email }) => email === 'edit@example.net')!.id}`;
    const tag = (await rig.ask(`GET ${path}`)).headers.get('etag')!;
    const change = (role: string) => rig.ask<Code>(`PATCH ${path}`, { body: { role }, headers: { 'if-match': tag } });
    const changed = await change('viewer');
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(tag);
    expect((await change('owner')).body.error.code).toBe('edited_meanwhile');
  });

  it('get a new password by a link that somebody makes for them', async () => {
    const browser = await invited('lost@example.net');
    const { id } = (await browser.ask<{ id: string }>('GET /session')).body;
    const made = await rig.ask<{ link_secret: string }>(`POST /people/${id}/link`);
    laterOn();
    const body = { secret: made.body.link_secret, password: 'another password' };
    expect((await new Browser(rig).ask('POST /session/link', { body })).status).toBe(200);
    expect((await browser.ask('GET /session')).status).toBe(401);
  });
});
