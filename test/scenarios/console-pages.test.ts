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
  await namedBadly(things.get('calls')!, things.get('agents')!);
  const { body } = await rig.ask<{ link_secret: string }>('POST /people', {
    body: { email: 'op@example.com', role: 'operator' },
  });
  const person = new Browser(rig);
  const secret = body.link_secret;
  await person.ask('POST /session/link', { body: { secret, password: PASSWORD }, headers: { 'user-agent': HOSTILE } });
  cookie = person.cookie!;
});
afterAll(async () => {
  await chromium?.close();
  await rig?.close();
});

/** Everything that somebody from outside, or of the account, may have written. */
async function namedBadly(call: string, agent: string): Promise<void> {
  const { store } = rig;
  await store.calls.turn(store.pool, call, {
    index: 2,
    role: 'caller',
    text: HOSTILE,
    startedMs: 64_500,
    heardMs: 400,
  });
  await endCall(store, call);
  await store.pool.query('UPDATE calls SET agent_name = $1, from_number = $1 WHERE id = $2', [HOSTILE, call]);
  await store.pool.query('UPDATE sip_ladders SET steps = jsonb_set(steps, $1, to_jsonb($2::text)) WHERE call_id = $3', [
    '{0,text}',
    HOSTILE,
    call,
  ]);
  await store.pool.query('UPDATE agents SET name = $1 WHERE id = $2', [HOSTILE, agent]);
  await store.pool.query(
    `UPDATE agent_versions SET definition = definition || jsonb_build_object('name', $1::text, 'greeting', jsonb_build_object('en', $1::text))
     WHERE agent_id = $2`,
    [HOSTILE, agent],
  );
  const from = { from: HOSTILE, to: HOSTILE, sourceAddress: '192.0.2.1', transport: 'udp', sipCallId: HOSTILE };
  const why = { reason: 'not-allowed', detail: HOSTILE, remedy: HOSTILE, accountId: rig.accountId };
  await store.refusedCalls.add([{ at: new Date(), ...from, ...why }]);
  await rig.ask('POST /tokens', { body: { name: HOSTILE } });
}

const PAGES: readonly { readonly path: string; readonly of?: string }[] = [
  ...[{ path: '/' }, { path: '/live' }, { path: '/calls' }, { path: '/calls/', of: 'calls' }, { path: '/agents' }],
  ...[{ path: '/agents/', of: 'agents' }, { path: '/tests' }, { path: '/tests/', of: 'agents' }, { path: '/numbers' }],
  ...[
    { path: '/playground' },
    { path: '/account' },
    { path: '/people' },
    { path: '/people?tab=audit' },
    { path: '/people?tab=me' },
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
