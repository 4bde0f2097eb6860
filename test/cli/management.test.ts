import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../support/command-line.ts';
import { openTestStore, type SharedTestStore } from '../support/postgres-store.ts';

let test: SharedTestStore;
let accountId: string;
beforeAll(async () => {
  test = await openTestStore();
  accountId = (await test.store.accounts.create('Only')).id;
});
afterAll(() => test?.close());

async function run(...args: string[]): Promise<{ code: number | null; json: Record<string, unknown>; error: string }> {
  const env = { NIDAA_DATA_DIR: test.dataFolder, DATABASE_URL: test.databaseUrl, NIDAA_HTTP_PORT: '8099' };
  const { code, stdout, stderr } = await runHere(env, [...args, '--json']);
  const read = (text: string): Record<string, unknown> =>
    text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { code, json: read(stdout), error: String(read(stderr)['error'] ?? '') };
}

describe('keys', () => {
  it('are made with scopes, listed without their secret, and revoked', async () => {
    const made = await run('keys', 'create', '--name', 'reports', '--scope', 'read', '--scope', 'agents');
    expect(made.json).toMatchObject({ account_id: accountId, scopes: ['read', 'agents'] });
    const secret = String(made.json['key']);
    expect(await test.store.managementKeys.authenticate(secret)).toMatchObject({ accountId, name: 'reports' });
    const listed = await runHere({ NIDAA_DATA_DIR: test.dataFolder, DATABASE_URL: test.databaseUrl }, ['keys', 'list']);
    expect(listed.stdout).toContain(`...${secret.slice(-4)}`);
    expect(listed.stdout).not.toContain(secret);
    const id = String(made.json['key_id']);
    expect((await run('keys', 'revoke', id)).json).toEqual({ key_id: id, revoked: true });
    expect((await run('keys', 'revoke', id)).error).toContain('`keys list` shows them');
    const audit = await test.store.audit.list(accountId, { limit: 10, targetId: id });
    expect(audit.map(({ action, actorKind }) => [action, actorKind])).toEqual([
      ['revokeKey', 'shell'],
      ['createKey', 'shell'],
    ]);
  });

  it.each([[['keys', 'create']], [['keys', 'create', '--scope', 'everything']]])('refuses %s', async (args) => {
    const { code, error } = await run(...args);
    expect(code).not.toBe(0);
    expect(error).toContain('scope');
  });
});

describe('console invite', () => {
  it('prints a link for somebody new, and for somebody known, who stays what they are', async () => {
    const { json } = await run('console', 'invite', 'Noura@Example.com', '--role', 'editor');
    expect(json).toMatchObject({ email: 'noura@example.com', role: 'editor', account_id: accountId });
    expect(json['link']).toMatch(/^http:\/\/127\.0\.0\.1:8099\/console\/welcome#[A-Za-z0-9]{43}$/);
    const again = await run('console', 'invite', 'noura@example.com');
    expect(again.json).toMatchObject({ person_id: json['person_id'], role: 'editor' });
    const secretOf = (link: unknown): string => String(link).split('#')[1]!;
    const use = (link: unknown) => test.store.personAccess.useLink(secretOf(link), 'a hash', undefined);
    expect(await use(json['link'])).toBe('unknown');
    expect(await use(again.json['link'])).toMatchObject({ personId: json['person_id'] });
    expect((await run('console', 'invite', 'noura@example.com', '--role', 'owner')).error).toContain('known as editor');
    expect((await run('console', 'invite', 'nobody')).error).toContain('no e-mail address');
  });
});
