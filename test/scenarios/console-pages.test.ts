import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser as Chromium, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavFile } from '../../src/audio/wav.ts';
import { notice, textOf } from '../../src/core/notice.ts';
import {
  axeFaults,
  type ConsoleWindow,
  openChromium,
  openWindow,
  overflow,
  settled,
  tabTo,
} from '../support/console-browser.ts';
import { hostile, namedBadly } from '../support/hostile-names.ts';
import { Browser, type ManageRig, manageRig } from '../support/manage-rig.ts';
import { callOf, DEFINITION, endCall, thingsOf } from '../support/manage-things.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';
import { kept } from '../support/recording-kept.ts';
import { until } from '../support/until.ts';

const PASSWORD = 'correct horse battery';

/** In the page. */
const currentTimeOf = (audio: unknown): number => (audio as { readonly currentTime: number }).currentTime;

let rig: ManageRig;
let chromium: Chromium;
let cookie: string;
const things = new Map<string, string>();

beforeAll(async () => {
  rig = await manageRig();
  chromium = await openChromium();
  for (const [kind, id] of await thingsOf(rig.store, rig.accountId)) things.set(kind, id);
  await namedBadly(rig, things);
  const { body } = await rig.ask<{ link_secret: string }>('POST /people', {
    body: { email: 'op@example.com', role: 'operator' },
  });
  const person = new Browser(rig);
  const secret = body.link_secret;
  await person.ask('POST /session/link', {
    body: { secret, password: PASSWORD },
    headers: { 'user-agent': hostile('browser') },
  });
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
    { path: '/people?tab=audit' },
    { path: '/people?tab=me' },
    { path: '/webhooks' },
    { path: '/system' },
    { path: '/nowhere' },
  ],
];
const LANGUAGES = ['en', 'ar'] as const;
/** What a page is wide and light, it must be narrow and dark; each of both documents is looked through once, in one language. */
const LOOKS = {
  en: [
    { theme: 'light', width: 1440, rules: 'all' },
    { theme: 'dark', width: 390, rules: 'looks' },
  ],
  ar: [
    { theme: 'light', width: 1440, rules: 'looks' },
    { theme: 'dark', width: 390, rules: 'all' },
  ],
} as const;

describe.each(LANGUAGES)('pages in %s', (language) => {
  let window: ConsoleWindow;
  beforeAll(async () => {
    window = await openWindow(chromium, rig.url, { language }, cookie);
    if (language === 'ar') await window.go('/');
  });
  afterAll(() => window?.context.close());

  // Half of them, each in one language, where the run is short: in turn, so that all kinds of pages are seen in both.
  const pages = PAGES.filter((_, at) => EVERY_TEST || at % 10 === LANGUAGES.indexOf(language));
  it.each(pages)('$path is whole in the light and the dark, wide and narrow', async ({ path, of }) => {
    const { page, faults, go, turn } = window;
    faults.length = 0;
    // Whoever has the address comes in by it; whoever is there already turns to it.
    await (language === 'en' ? go : turn)(`${path}${of === undefined ? '' : things.get(of)}`);
    expect(await page.evaluate('document.documentElement.dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
    const found: object[] = [];
    for (const { theme, width, rules } of LOOKS[language]) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      const seen = { theme, width, overflow: await overflow(page), axe: await axeFaults(page, rules) };
      if (seen.overflow > 0 || seen.axe.length > 0) found.push(seen);
    }
    expect({ found, faults }).toEqual({ found: [], faults: [] });
    expect(await page.title()).toMatch(/ · Nidaa$/);
  });
});

/** Where what others have written is seen; `open` does what it takes. */
const WRITTEN: readonly {
  readonly path: string;
  readonly of?: string;
  readonly open?: (page: Page) => Promise<unknown>;
  readonly shows: readonly string[];
}[] = [
  { path: '/', shows: ['stranger', 'called', 'detail', 'remedy', 'trunk'] },
  { path: '/calls', shows: ['agent'] },
  {
    ...{ path: '/calls/', of: 'calls', shows: ['caller', 'agent', 'transcript', 'header'] },
    open: (page) =>
      page
        .locator('button[aria-pressed]')
        .filter({ has: page.locator('.figures') })
        .first()
        .click(),
  },
  { path: '/agents', shows: ['agent'] },
  { path: '/agents/', of: 'agents', shows: ['agent', 'greeting'] },
  { path: '/tests', shows: ['agent'] },
  { path: '/tests/', of: 'agents', shows: ['agent', 'dialogue', 'step', 'expected'] },
  { path: '/numbers', shows: ['agent', 'trunk'] },
  { path: '/numbers?tab=trunks', shows: ['trunk'] },
  { path: '/numbers?tab=refused', shows: ['stranger', 'called'] },
  { path: '/account?tab=ledger', shows: ['reason'] },
  { path: '/people', shows: ['token'] },
  { path: '/people?tab=keys', shows: ['key'] },
  { path: '/people?tab=people', shows: ['mail'] },
  { path: '/people?tab=me', shows: ['browser'] },
  { path: '/webhooks', shows: ['url', 'note'] },
  {
    ...{ path: '/webhooks?webhook=', of: 'webhooks', shows: ['url', 'note', 'answer'] },
    open: (page) => page.getByRole('table').getByRole('button').first().click(),
  },
];
/** In the page: what is read on it, stands in its fields, and is told of a thing that is pointed at. */
const READ = `[document.body.innerText, ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value),
  ...[...document.querySelectorAll('[title]')].map(({ title }) => title)].join('\\n')`;

describe('what others have written', () => {
  let window: ConsoleWindow;
  beforeAll(async () => {
    window = await openWindow(chromium, rig.url, { language: 'en' }, cookie);
    await window.go('/');
  });
  afterAll(() => window?.context.close());

  it.each(someOf(WRITTEN, 4))('is text on $path: $shows', async ({ path, of, open, shows }) => {
    const { page, faults, turn } = window;
    faults.length = 0;
    await turn(`${path}${of === undefined ? '' : things.get(of)}`);
    await open?.(page);
    const missing = async (): Promise<string[]> => {
      const read = await page.evaluate<string>(READ);
      return shows.filter((what) => !read.includes(hostile(what)));
    };
    let left: string[] = [];
    await until(
      async () => {
        left = await missing();
        return left.length === 0;
      },
      () => `these are read: ${left.join(', ')}`,
    );
    expect(await page.evaluate(`document.querySelectorAll('img[src="x"], main script').length`)).toBe(0);
    expect(await page.title()).not.toBe('ran');
    expect(faults).toEqual([]);
  });
});

describe('what the gateway says in sentences', () => {
  let window: ConsoleWindow;
  beforeAll(async () => {
    window = await openWindow(chromium, rig.url, { language: 'ar' }, cookie);
    await window.go('/');
  });
  afterAll(() => window?.context.close());

  /** What stands in isolation, in a sentence of the page that has these words. */
  const isolated = async (words: string): Promise<readonly string[]> => {
    const said = window.page.locator('span', { hasText: words, has: window.page.locator('bdi') }).last();
    await said.waitFor();
    return said.locator('bdi').allInnerTexts();
  };

  it('is Arabic in the findings of an agent, its values apart', async () => {
    const greeting = { en: 'Good morning, {{visitor}}.' };
    const { id } = await rig.store.agents.create(rig.accountId, { ...DEFINITION, name: 'Found', greeting }, 'draft');
    const { page, faults, turn } = window;
    faults.length = 0;
    await turn(`/agents/${id}`);
    await page.getByRole('region', { name: 'نتائج الفحص' }).getByRole('button').first().click();
    expect(await isolated('لا يملؤها شيء هنا')).toEqual(['{{visitor}}', 'visitor']);
    expect(faults).toEqual([]);
  });

  it.runIf(EVERY_TEST)(
    'is Arabic on the card of a trunk: why it is not registered, and that a host does not answer',
    async () => {
      const { page, faults, turn } = window;
      const id = things.get('trunks')!;
      const problemNotice = notice('registration.refused', { host: 'sip:sbc.example.net', status: 403 });
      const registration = { state: 'waiting', since: new Date().toISOString(), problem: textOf(problemNotice) };
      await rig.store.trunkStates.tell(
        new Map([[id, { hosts: [], registration: { ...registration, problemNotice } }]]),
      );
      faults.length = 0;
      await turn('/numbers?tab=trunks');
      expect(await isolated('رفض التسجيل بالرمز')).toEqual(['sip:sbc.example.net', '403']);
      await page.getByRole('button', { name: 'اسأل الآن' }).first().click();
      await page.getByText('لم يصل رد في الوقت المحدد').first().waitFor();
      expect(faults).toEqual([]);
    },
  );

  it('is Arabic of a call that was refused, as it was kept; what is unknown stays as it is', async () => {
    const call = { at: new Date(), from: '1', to: '2', sourceAddress: 'x:1', transport: 'udp', sipCallId: 'said' };
    const refused = { ...call, accountId: rig.accountId, reason: 'switched-off', remedy: '' };
    await rig.store.refusedCalls.add([
      { ...refused, detail: textOf(notice('end.trunk-off', { name: 'stc-riyadh' })) },
      { ...refused, sipCallId: 'said before', detail: 'said by an older gateway' },
    ]);
    const { page, faults, turn } = window;
    faults.length = 0;
    await turn('/numbers?tab=refused');
    expect(await isolated('متوقف')).toEqual(['stc-riyadh']);
    await page.getByText('said by an older gateway').first().waitFor();
    expect(faults).toEqual([]);
  });
});

describe('a person without a session', () => {
  it.each(someOf(LANGUAGES, 2))(
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

describe.runIf(EVERY_TEST)('somebody without a mouse', () => {
  const GREETING = 'Written by the keys alone.';
  const SECONDS = 30;
  let agent: string;
  beforeAll(async () => {
    const { store, accountId, dataFolder } = rig;
    ({ id: agent } = await store.agents.create(accountId, { ...DEFINITION, name: 'Keyed' }, 'live'));
    const { call } = await callOf(store, accountId, agent, { agentName: 'Keyed', from: '+966500000042' });
    const sound = Int16Array.from({ length: 2 * SECONDS * 8_000 }, (_, n) => 8_000 * Math.sin(n / 8));
    mkdirSync(join(dataFolder, 'recordings'), { recursive: true });
    writeFileSync(join(dataFolder, `recordings/${call}.wav`), wavFile({ channels: 2, sampleRateHz: 8_000 }, sound));
    await endCall(store, call, `recordings/${call}.wav`);
    await kept(dataFolder, `recordings/${call}.wav`);
    await store.calls.setRecordingState(call, 'ready');
  });

  it('signs in, hears a call from another place, and publishes another greeting', async () => {
    const { context, page, go, faults } = await openWindow(chromium, rig.url, { language: 'en' });
    const { keyboard } = page;
    const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true }).first();
    const press = async (wanted: Locator, key = 'Enter'): Promise<void> => {
      await tabTo(wanted);
      await keyboard.press(key);
    };
    await go('/calls');
    rig.clock.advance(3_600_000);
    await tabTo(page.getByLabel('E-mail'));
    await keyboard.type('op@example.com');
    await tabTo(page.locator('input[type=password]'));
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');

    await press(page.getByRole('row').filter({ hasText: 'Keyed' }).getByRole('link').first());
    const place = async (): Promise<number> => Number(await page.locator('audio').evaluate(currentTimeOf));
    await press(page.getByRole('button', { name: 'Play', exact: true }));
    await until(async () => (await place()) > 0, 'it plays');
    await tabTo(page.getByRole('slider', { name: 'Place on the call' }));
    const before = await place();
    for (const _ of [1, 2]) await keyboard.press('ArrowRight');
    await until(async () => (await place()) > before + 5, 'it plays from farther on');

    await tabTo(link('Agents'), 'Shift+Tab');
    await keyboard.press('Enter');
    await press(link('Keyed'));
    await press(page.getByRole('button', { name: 'Greeting', exact: true }));
    await tabTo(page.getByRole('textbox', { name: 'Greeting (English)' }));
    await keyboard.press('Control+A');
    await keyboard.type(GREETING);
    await tabTo(page.getByRole('button', { name: 'Publish changes' }), 'Shift+Tab');
    await keyboard.press('Enter');
    await until(async () => {
      const saved = await rig.store.agents.get(rig.accountId, agent);
      return saved?.version === 2 && saved.definition.greeting.en === GREETING;
    }, 'the greeting is in force');
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await context.close();
  });
});
