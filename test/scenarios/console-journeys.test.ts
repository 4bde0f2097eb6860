import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser as Chromium, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { axeFaults, type ConsoleWindow, openChromium, openWindow, settled } from '../support/console-browser.ts';
import { type Gateway, nidaa, startGateway } from '../support/gateway.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';

const EMAIL = 'sara@example.com';
const PASSWORD = 'correct horse battery';

let chromium: Chromium;
let gateway: Gateway;
let restarted: Gateway | undefined;
let databaseUrl: string;
/** The operator's window, open from the first test to the last: as it is on a desk. */
let desk: ConsoleWindow;
const ONE_PAUSE = ['--pause', '1000', '--seconds', '15', '--json'];
/** Accounts that were made, each by a try. */
let shops = 0;
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

async function editGreeting(page: Page, text: string): Promise<void> {
  await page.goto(`${gateway.api}/console/agents`);
  await page.getByRole('link', { name: 'Swift Delivery' }).click();
  await page.getByRole('button', { name: 'Greeting', exact: true }).click();
  await page.getByRole('textbox', { name: 'Greeting (English)' }).fill(text);
}

/** Until it is in force: the button is there for changes only, and not while they are on their way. */
async function publish(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Publish changes' });
  await expect.poll(() => button.isEnabled()).toBe(true);
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
  await button.click();
  await saved;
  await expect.poll(() => button.isEnabled()).toBe(false);
}

interface Texts {
  readonly overview: {
    readonly state: Readonly<Record<string, string>>;
    readonly setUp: { readonly title: string; readonly items: Readonly<Record<string, { readonly title: string }>> };
  };
  readonly account: { readonly credit: { readonly none: string } };
}
const textOf = <Page extends keyof Texts>(language: 'en' | 'ar', page: Page): Texts[Page] =>
  JSON.parse(readFileSync(new URL(`../../src/console/i18n/locales/${language}/${page}.json`, import.meta.url), 'utf8'));

/** The same person at the same account, who reads Arabic. */
async function inArabic(page: Page): Promise<ConsoleWindow> {
  const [session] = await page.context().cookies();
  const window = await openWindow(chromium, gateway.api, { language: 'ar' }, `${session!.name}=${session!.value}`);
  const account = await page.evaluate('JSON.stringify({ ...sessionStorage })');
  await window.context.addInitScript(`Object.assign(sessionStorage, ${account})`);
  await window.go('/');
  return window;
}

/** In the page: somebody who looked at another one of the browser comes back. */
const COMES_BACK = "window.dispatchEvent(new Event('visibilitychange'))";

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

  it('changes what the agent says first, and the next caller hears it; the page of that call shows it', async () => {
    const { page } = desk;
    await editGreeting(page, 'Salam from the new greeting. How can I help you?');
    await publish(page);
    await page.reload();
    const lines = page.locator('.cm-line'); // what the file of the agent says of itself is there still
    await lines.getByText('# The support line of a delivery company.').waitFor();
    const placed = await nidaa(gateway, ...['call', gateway.sip, '--from', '0507654321'], ...ONE_PAUSE);
    expect({ code: placed.code, stderr: placed.stderr }).toMatchObject({ code: 0 });
    await desk.go('/calls');
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByText('Salam from the new greeting.').first().waitFor();
    await page.getByRole('heading', { name: 'SIP messages' }).waitFor();
  });

  it.runIf(EVERY_TEST)(
    'erases that caller by another way to write the number, once it is shown what there is',
    async () => {
      const page = await desk.context.newPage();
      await page.goto(`${gateway.api}/console/account?tab=erasures`);
      await page.getByText('Nobody was erased yet').waitFor();
      await page.getByRole('button', { name: 'Erase a person' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Number').fill('+966 50 765 4321');
      await dialog.getByRole('button', { name: 'See what there is' }).click();
      await dialog.getByText('Calls: 1').waitFor();
      expect(await page.getByText('Nobody was erased yet').count()).toBe(1);
      await dialog.getByRole('button', { name: 'Erase for good' }).click();
      const row = page.getByRole('table', { name: 'Erasures' }).getByRole('row').filter({ hasText: 'ers_' });
      await row.getByText('Done', { exact: true }).waitFor();
      const arabic = await inArabic(page);
      await arabic.go('/account?tab=erasures');
      await arabic.page.getByRole('row').filter({ hasText: 'ers_' }).getByText('اكتمل', { exact: true }).waitFor();
      await desk.go('/calls');
      expect(await desk.page.getByRole('main').getByText('7654321').count()).toBe(0);
      expect([await axeFaults(page), arabic.faults]).toEqual([[], []]);
      await Promise.all([page.close(), arabic.context.close()]);
    },
  );

  it.runIf(EVERY_TEST)('is told when somebody else has saved the agent meanwhile, and loses nothing', async () => {
    const { page } = desk;
    await editGreeting(page, 'Written first, saved last.');
    const other = await desk.context.newPage();
    await other.goto(gateway.api);
    await editGreeting(other, 'Saved first.');
    await publish(other);
    await other.close();
    await page.getByRole('button', { name: 'Publish changes' }).click();
    await page.getByRole('dialog').getByText('Somebody else saved first').waitFor();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Greeting (English)' }).inputValue())
      .toBe('Written first, saved last.');
    await publish(page);
  });

  it.runIf(EVERY_TEST)('has the gateway take nothing new, and serve again', async () => {
    const page = await desk.context.newPage();
    await page.goto(`${gateway.api}/console/system?tab=gateway`);
    const table = page.getByRole('table', { name: 'Gateways on this database' });
    await table.getByRole('button', { name: /^Drain/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Drain' }).click();
    await table.getByText('Takes nothing new').waitFor();
    await expect.poll(async () => (await fetch(`${gateway.api}/readyz`)).status).toBe(503);
    await table.getByRole('button', { name: 'Serve again' }).click();
    await table.getByText('Serving').waitFor();
    await expect.poll(async () => (await fetch(`${gateway.api}/readyz`)).status).toBe(200);
  });

  it.runIf(EVERY_TEST)(
    'sets a new account up by what its overview says, until a caller was understood; without credit both pages say so',
    async () => {
      shops += 1;
      const shop = `Corner shop ${shops}`;
      const number = `710${shops}`;
      const page = await desk.context.newPage();
      const turnTo = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      const item = (title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title });
      const isDone = (title: string) => item(title).getByRole('img', { name: 'Done' }).waitFor();
      const noCredit = (language: 'en' | 'ar') => textOf(language, 'overview').state['no-credit']!;
      await page.goto(`${gateway.api}/console/system?tab=accounts`);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(shop);
      await page.getByRole('dialog').getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('button', { name: `Look at ${shop}` }).click();

      await item('An agent is live').getByRole('img', { name: 'To do' }).waitFor();
      await page.getByText(noCredit('en')).waitFor();
      const arabic = await inArabic(page);
      await arabic.page.getByRole('heading', { name: textOf('ar', 'overview').setUp.title }).waitFor();
      await arabic.page.getByText(textOf('ar', 'overview').setUp.items['agent-live']!.title, { exact: true }).waitFor();
      await arabic.page.getByText(noCredit('ar')).waitFor();

      await item('An agent is live').getByRole('link', { name: 'Publish one' }).click();
      await page.getByRole('button', { name: 'New agent' }).first().click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(shop);
      await page.getByRole('button', { name: 'Create draft' }).click();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByRole('button', { name: 'Publish changes' }).waitFor();
      await turnTo('Overview');
      await isDone('An agent is live');

      await item('Calls have a way in').getByRole('link', { name: 'Add a number' }).click();
      await page.getByRole('button', { name: 'Add a number' }).first().click();
      await page.getByRole('dialog').getByLabel('Number').fill(number);
      await page.getByRole('button', { name: 'Give it' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await turnTo('Overview');
      await isDone('Calls have a way in');
      const dialled = (await item('Make the first call')
        .getByText(new RegExp(`^sip:${number}@`))
        .textContent())!;

      const call = (...steps: string[]) => nidaa(gateway, 'call', dialled, ...steps, '--seconds', '40', '--json');
      expect((await call('--pause', '1000')).code).not.toBe(0);
      await item('To let it in: Top up the account').waitFor();
      await page.getByRole('link', { name: 'Open credit' }).click();
      await page.getByText(textOf('en', 'account').credit.none).waitFor();
      await arabic.go('/account');
      await arabic.page.getByText(textOf('ar', 'account').credit.none).waitFor();

      await page.getByRole('button', { name: 'Add credit' }).click();
      await page.getByRole('dialog').getByLabel('Amount in US dollars').fill('5');
      await page.getByRole('dialog').getByLabel('Reason').fill('The first one');
      await page.getByRole('dialog').getByRole('button', { name: 'Add credit' }).click();
      await page.getByText(textOf('en', 'account').credit.none).waitFor({ state: 'detached' });
      await arabic.page.getByText(textOf('ar', 'account').credit.none).waitFor({ state: 'detached' });
      await turnTo('Overview');
      await page.getByText(noCredit('en')).waitFor({ state: 'detached' });

      const isSetUp = async (): Promise<boolean> => {
        await page.evaluate(COMES_BACK);
        return (await page.getByRole('heading', { name: 'Set up' }).count()) === 0;
      };
      const isUnderstood = async (): Promise<boolean> => {
        const placed = await call('--say', 'when are you open');
        expect({ code: placed.code, stderr: placed.stderr }).toMatchObject({ code: 0 });
        // The end of a call is told before what was understood is on record.
        return until(isSetUp, 'nothing is to be set up any more', 15_000).catch(() => false);
      };
      // What is said comes too late to be understood where a machine does much else: who is not understood calls again.
      expect((await isUnderstood()) || (await isUnderstood()), 'nothing is to be set up any more').toBe(true);
      await page.getByRole('heading', { name: 'What went wrong lately' }).waitFor();
      await Promise.all([page.close(), arabic.context.close()]);
    },
  );

  it.runIf(EVERY_TEST)('finds the page again by itself when the gateway was restarted under it', async () => {
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

  it.runIf(EVERY_TEST)(
    'is asked to sign in again where the session was ended elsewhere, at the page that was open',
    async () => {
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
    },
  );
});
