import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { TokenRows } from '../../src/store/tokens.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type Browser, type ManageRig, manageRig, signedIn as signIn } from '../support/manage-rig.ts';
import { DEFINITION } from '../support/manage-things.ts';

interface Code {
  readonly error: { readonly code: string; readonly message: string };
}
interface TokenBody {
  readonly token: { readonly id: string; readonly kind: string; readonly expires_at: string };
  readonly secret: string;
}
interface TalkBody {
  readonly token: string;
  readonly socket: string;
  readonly agent_version: number;
}

let rig: ManageRig;
beforeAll(async () => {
  rig = await manageRig();
});
afterAll(async () => {
  expect(await rig?.unaudited()).toEqual([]);
  await rig?.close();
});

const signedIn = (email: string, role = 'editor'): Promise<Browser> => signIn(rig, email, role);

describe('a token of the playground', () => {
  it('opens the public API for the account, is listed as what it is, and keeps its secret to itself', async () => {
    const browser = await signedIn('one@example.com');
    const { status, body } = await browser.ask<TokenBody>('POST /playground-token');
    expect([status, body.token.kind]).toEqual([201, 'playground']);
    expect((await rig.store.tokens.authenticate(body.secret))?.accountId).toBe(rig.accountId);
    const minutes = (Date.parse(body.token.expires_at) - systemClock.utc().getTime()) / 60_000;
    expect(minutes).toBeGreaterThan(14);
    expect(minutes).toBeLessThanOrEqual(15);
    await rig.ask('POST /tokens', { body: { name: 'of a program' } });
    const list = await rig.ask<{ items: { kind: string; expires_at: string | null }[] }>('GET /tokens');
    expect(list.body.items.map(({ kind, expires_at }) => [kind, expires_at !== null])).toEqual([
      ['program', false],
      ['playground', true],
    ]);
    const audit = await rig.ask('GET /audit');
    expect(audit.text).toContain('createPlaygroundToken');
    for (const { text } of [list, audit]) expect(text).not.toContain(body.secret);
  });

  it('is for people, and for those who may work with agents', async () => {
    const key = await rig.ask<Code>('POST /playground-token');
    expect([key.status, key.body.error.code]).toEqual([403, 'only_people']);
    const viewer = await signedIn('viewer@example.com', 'viewer');
    expect((await viewer.ask<Code>('POST /playground-token')).body.error.code).toBe('missing_scope');
  });

  it('ends with its time, also where it was looked up a moment before, and with its person', async () => {
    const clock = new FakeClock();
    const rows = new TokenRows(rig.store.db, clock);
    const person = await rig.store.people.create(rig.accountId, 'ends@example.com', 'editor');
    if (typeof person === 'string') throw new Error(person);
    const short = { accountId: rig.accountId, personId: person.id, name: 'short', lifetimeMs: 1_000, aliveMax: 10 };
    const { secret } = await rows.createShort(short);
    expect(await rows.authenticate(secret)).toEqual({ tokenId: expect.any(String), accountId: rig.accountId });
    clock.advance(999);
    expect(await rows.authenticate(secret)).toBeDefined();
    clock.advance(1);
    expect(await rows.authenticate(secret)).toBeUndefined();
    expect(await new TokenRows(rig.store.db, clock).authenticate(secret)).toBeUndefined();
    const other = await rows.createShort(short);
    await rig.store.people.remove(rig.accountId, person.id);
    expect(await new TokenRows(rig.store.db, clock).authenticate(other.secret)).toBeUndefined();
  });

  it('is one of ten at most: one more revokes the oldest', async () => {
    const browser = await signedIn('ten@example.com');
    const secrets: string[] = [];
    for (let n = 0; n < 11; n += 1) secrets.push((await browser.ask<TokenBody>('POST /playground-token')).body.secret);
    const known = await Promise.all(secrets.map((secret) => rig.store.tokens.authenticate(secret)));
    expect(known.map((identity) => identity !== undefined)).toEqual([false, ...Array(10).fill(true)]);
  });
});

describe('talking to an agent in the browser', () => {
  const create = async (name: string): Promise<string> =>
    (await rig.ask<{ id: string }>('POST /agents', { body: { definition: { ...DEFINITION, name } } })).body.id;

  it('is by the agent as it is saved, whatever its state, or by a definition that is not saved', async () => {
    const id = await create('Talked to');
    const saved = await rig.ask<TalkBody>(`POST /agents/${id}/talk`, { body: { variables: { name: 'Noura' } } });
    expect([saved.status, saved.body.socket, saved.body.agent_version]).toEqual([201, `/v1/agents/${id}/talk`, 1]);
    expect(rig.talkTokens.redeem(saved.body.token)).toMatchObject({
      ...{ agentId: id, from: 'console', variables: { name: 'Noura' }, identity: { accountId: rig.accountId } },
      draft: { id, version: 1, status: 'draft', definition: { name: 'Talked to' } },
    });
    const definition = { ...DEFINITION, name: 'Talked to', greeting: { en: 'Not saved yet.' } };
    const edited = await rig.ask<TalkBody>(`POST /agents/${id}/talk`, { body: { definition } });
    expect(rig.talkTokens.redeem(edited.body.token)?.draft).toMatchObject({ version: 0, definition });
    expect((await rig.store.agents.get(rig.accountId, id))?.definition.greeting).toEqual(DEFINITION.greeting);
    const wrong = await rig.ask<Code>(`POST /agents/${id}/talk`, {
      body: { definition: { ...definition, voice: 'emmo' } },
    });
    expect(wrong.body.error.code).toBe('invalid_definition');
  });

  it('goes on as long as the key or the session that asked for it', async () => {
    const id = await create('Talked to by many');
    const grantOf = (body: TalkBody) => rig.talkTokens.redeem(body.token)!;
    const { key, secret } = await rig.store.managementKeys.create(rig.accountId, 'short', ['agents']);
    const byKey = grantOf((await rig.ask<TalkBody>(`POST /agents/${id}/talk`, { key: secret, body: {} })).body);
    const person = await signedIn('talks@example.com');
    const bySession = grantOf((await person.ask<TalkBody>(`POST /agents/${id}/talk`, { body: {} })).body);
    expect([await byKey.stillMay!(), await bySession.stillMay!()]).toEqual([true, true]);
    await rig.ask(`DELETE /keys/${key.id}`);
    await person.ask('DELETE /session');
    expect([await byKey.stillMay!(), await bySession.stillMay!()]).toEqual([false, false]);
  });

  it('is limited to what a person does', async () => {
    const id = await create('Often talked to');
    rig.clock.advance(60_000);
    const asked: number[] = [];
    for (let n = 0; n < 11; n += 1) asked.push((await rig.ask(`POST /agents/${id}/talk`, { body: {} })).status);
    expect(asked).toEqual([...Array(10).fill(201), 429]);
  });
});

describe('voices', () => {
  it('are listed with who speaks them', async () => {
    const { body } = await rig.ask<{ items: object[]; engines: object; speech_privacy: string }>('GET /voices');
    expect(body.items).toContainEqual(
      expect.objectContaining({ id: 'emma', language: 'en-US', engine: 'scripted', place: 'local' }),
    );
    expect(body).toMatchObject({ speech_privacy: 'local', engines: { local: { name: 'scripted' }, remote: null } });
  });

  it('are heard free of charge, as often as a person presses a button', async () => {
    const before = await rig.store.charges.balance(rig.accountId);
    rig.clock.advance(60_000);
    const hear = (body: object) => rig.ask<Code>('POST /voices/preview', { body });
    const { status, headers, text } = await hear({ voice: 'emma', text: 'Hello.' });
    expect([status, headers.get('content-type'), text.slice(0, 4)]).toEqual([200, 'audio/wav', 'RIFF']);
    expect((await hear({ voice: 'noura' })).status).toBe(200);
    expect((await hear({ voice: 'nobody' })).body.error.code).toBe('unknown_voice');
    expect((await hear({ voice: 'emma', text: ' ' })).body.error.code).toBe('empty_text');
    expect((await hear({ voice: 'emma', text: 'a'.repeat(201) })).body.error.code).toBe('invalid_request');
    const more: number[] = [];
    for (let n = 0; n < 9; n += 1) more.push((await hear({ voice: 'emma', text: 'Hello.' })).status);
    expect(more).toEqual([...Array(8).fill(200), 429]);
    expect(await rig.store.charges.balance(rig.accountId)).toEqual(before);
  });
});
