import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser as Chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ConsoleWindow, openChromium, openWindow, settled } from '../support/console-browser.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';

const EMAIL = 'sara@example.com';
const PASSWORD = 'correct horse battery';

let chromium: Chromium;
let gateway: Gateway;
let restarted: Gateway | undefined;
let databaseUrl: string;
/** The operator's window, open from the first test to the last: as it is on a desk. */
let desk: ConsoleWindow;
const dataDir = mkdtempSync(join(tmpdir(), 'nidaa-console-'));

beforeAll(async () => {
  databaseUrl = await sharedDatabase(inject('postgresDesk'));
  [gateway, chromium] = await Promise.all([startGateway({ dataDir, databaseUrl }), openChromium()]);
  desk = await openWindow(chromium, gateway.api, { language: 'en' });
});
afterAll(async () => {
  await chromium?.close();
  await Promise.all([gateway, restarted].map((one) => one?.stop()));
  rmSync(dataDir, { recursive: true, force: true });
});

const normalize = (token: string): Promise<number> =>
  fetch(`${gateway.api}/v1/text/normalize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Room 5', language: 'en' }),
  }).then(({ status }) => status);

describe('an operator who has never seen a terminal', () => {
  it('sets a password by the link that was printed, which leaves the address, and is in', async () => {
    const { page } = desk;
    await page.goto(gateway.welcome!);
    await page.getByLabel('E-mail').fill(EMAIL);
    expect(new URL(page.url()).hash).toBe('');
    for (const field of await page.locator('input[type=password]').all()) await field.fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it('makes a token that is shown once and works, and revokes it', async () => {
    const { page, go } = desk;
    await go('/people');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Website');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const secret = (await page.locator('[data-secret]').textContent())!;
    expect(secret).toMatch(/^service_sk_live_/);
    expect(await normalize(secret)).toBe(200);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.locator('[data-secret]').waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'Website' });
    await row.getByRole('button', { name: /Revoke/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    await expect.poll(() => normalize(secret)).toBe(401);
  });

  it('finds the page again by itself when the gateway was restarted under it', async () => {
    const { page, go } = desk;
    await go('/people');
    await gateway.stop();
    const lost = page.getByText('The gateway does not answer');
    await page.evaluate('window.dispatchEvent(new Event("focus"))');
    await page.getByRole('tab', { name: 'Management keys' }).click();
    await lost.waitFor();
    const ports = Object.fromEntries(
      Object.entries(gateway.env).filter(([name]) => /^NIDAA_(?:SIP|HTTP)_PORT$/.test(name)),
    );
    restarted = await startGateway({ dataDir, databaseUrl, env: ports as Record<string, string> });
    await lost.waitFor({ state: 'detached' });
    await page.getByText('No key yet').waitFor();
  });

  it('is asked to sign in again where the session was ended elsewhere, at the page that was open', async () => {
    const { page, context, go } = desk;
    await go('/people');
    const other = await openWindow(chromium, gateway.api, { language: 'ar' });
    await other.go('/');
    await other.page.locator('input[type=email]').fill(EMAIL);
    await other.page.locator('input[type=password]').fill(PASSWORD);
    await other.page.locator('button[type=submit]').click();
    await other.page.getByRole('navigation').waitFor();
    await other.page.evaluate(`(async () => {
      const headers = { 'x-nidaa-console': '1' };
      const { items } = await (await fetch('/manage/v1/sessions')).json();
      const others = items.filter(({ current }) => !current);
      for (const { id } of others) await fetch('/manage/v1/sessions/' + id, { method: 'DELETE', headers });
    })()`);
    await page.getByRole('tab', { name: 'People' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.locator('input[type=email]').fill(EMAIL);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.locator('button[type=submit]').click();
    await settled(page);
    expect(new URL(page.url()).pathname).toBe('/console/people');
    await Promise.all([context.close(), other.context.close()]);
  });
});
