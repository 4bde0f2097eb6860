import type { Browser as Chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axeFaults,
  type ConsoleWindow,
  type Look,
  openChromium,
  openWindow,
  overflow,
  settled,
} from '../support/console-browser.ts';
import { Browser, type ManageRig, manageRig } from '../support/manage-rig.ts';
import { endCall, thingsOf } from '../support/manage-things.ts';

/** What somebody from outside may have called a thing: where it runs, the title of the window tells. */
const HOSTILE = `<img src=x onerror="document.title='ran'"><script>document.title='ran'</script>`;
const PASSWORD = 'correct horse battery';

let rig: ManageRig;
let chromium: Chromium;
let cookie: string;
const things = new Map<string, string>();

beforeAll(async () => {
  rig = await manageRig();
  chromium = await openChromium();
  for (const [kind, id] of await thingsOf(rig.store, rig.accountId)) things.set(kind, id);
  await endCall(rig.store, things.get('calls')!);
  await rig.store.pool.query(`UPDATE calls SET agent_name = $1, from_number = $1 WHERE id = $2`, [
    HOSTILE,
    things.get('calls'),
  ]);
  const { body } = await rig.ask<{ link_secret: string }>('POST /people', {
    body: { email: 'op@example.com', role: 'operator' },
  });
  const person = new Browser(rig);
  await person.ask('POST /session/link', { body: { secret: body.link_secret, password: PASSWORD } });
  cookie = person.cookie!;
});
afterAll(async () => {
  await chromium?.close();
  await rig?.close();
});

const PAGES: readonly { readonly path: string; readonly of?: string }[] = [
  ...[{ path: '/' }, { path: '/live' }, { path: '/calls' }, { path: '/calls/', of: 'calls' }, { path: '/agents' }],
  ...[{ path: '/agents/', of: 'agents' }, { path: '/tests' }, { path: '/tests/', of: 'agents' }, { path: '/numbers' }],
  ...[
    { path: '/playground' },
    { path: '/account' },
    { path: '/people' },
    { path: '/webhooks' },
    { path: '/system' },
    { path: '/nowhere' },
  ],
];
const LANGUAGES = ['en', 'ar'] as const;
/** Each language in both colours and both widths: what a page is wide and light, it must be narrow and dark. */
const LOOKS = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 390 },
] as const satisfies readonly Partial<Look>[];

describe.each(LANGUAGES)('pages in %s', (language) => {
  let window: ConsoleWindow;
  beforeAll(async () => {
    window = await openWindow(chromium, rig.url, { language }, cookie);
  });
  afterAll(() => window?.context.close());

  it.each(PAGES)('$path is whole in the light and the dark, wide and narrow', async ({ path, of }) => {
    const { page, faults, go } = window;
    faults.length = 0;
    await page.setViewportSize({ width: LOOKS[0].width, height: 900 });
    await go(`${path}${of === undefined ? '' : things.get(of)}`);
    expect(await page.evaluate('document.documentElement.dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
    const found: object[] = [];
    for (const { theme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      const seen = { theme, width, overflow: await overflow(page), axe: await axeFaults(page) };
      if (seen.overflow > 0 || seen.axe.length > 0) found.push(seen);
    }
    expect({ found, faults }).toEqual({ found: [], faults: [] });
    expect(await page.title()).toMatch(/ · Nidaa$/);
  });
});

describe('a person without a session', () => {
  it.each(LANGUAGES)(
    'reads the form in %s, is told of a wrong password, and is let in at the address that was asked for',
    async (language) => {
      const { context, page, go, faults } = await openWindow(chromium, rig.url, { language });
      await go('/agents');
      expect(await axeFaults(page)).toEqual([]);
      rig.clock.advance(3_600_000); // attempts of others do not slow this one down
      await page.locator('input[type=email]').fill('op@example.com');
      await page.locator('input[type=password]').fill('not the password');
      await page.locator('button[type=submit]').click();
      await page.getByRole('alert').waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.locator('input[type=password]').fill(PASSWORD);
      await page.locator('button[type=submit]').click();
      await page.getByRole('navigation').waitFor();
      expect(new URL(page.url()).pathname).toBe('/console/agents');
      expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
      await context.close();
    },
  );
});
