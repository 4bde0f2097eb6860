import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { BROWSER } from './browser-program.ts';
import { until } from './until.ts';

/** Without looking anything up elsewhere: what the console loads comes from the gateway or not at all. */
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--disable-quic', '--mute-audio'],
];
/** For what comes late on a machine that does much else. */
const PATIENCE_MS = 90_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const openChromium = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ ...(BROWSER && { executablePath: BROWSER }), args: [...FLAGS, ...more] });

export interface Look {
  readonly language: 'ar' | 'en';
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
}

/** A window of the console: what it said on its own console, and every request that went elsewhere or failed. */
export interface ConsoleWindow {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly faults: string[];
  /** By the address. */
  go(path: string): Promise<void>;
  /** Within the page, as by a link: nothing is loaded that is there. */
  turn(path: string): Promise<void>;
}

/** Opens a window with the preferences of a person; `cookie` is that of a session. */
export async function openWindow(browser: Browser, url: string, look: Look, cookie?: string): Promise<ConsoleWindow> {
  const context = await browser.newContext({
    viewport: { width: look.width ?? 1440, height: 900 },
    ...{ colorScheme: look.theme ?? 'light', reducedMotion: 'reduce', bypassCSP: false, locale: 'en-GB' },
  });
  const kept = JSON.stringify(JSON.stringify({ language: look.language, theme: 'auto' }));
  await context.addInitScript(
    `localStorage.getItem('nidaa.preferences') ?? localStorage.setItem('nidaa.preferences', ${kept})`,
  );
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
  }
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults = watched(page, url);
  const go = async (path: string): Promise<void> => {
    await page.goto(`${url}/console${path}`);
    await settled(page);
  };
  const turn = async (path: string): Promise<void> => {
    // Numbered as the router numbers what it goes back over.
    const at = '{ idx: (history.state?.idx ?? 0) + 1 }';
    await page.evaluate(
      `history.pushState(${at}, '', '/console${path}'), dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await settled(page);
  };
  return { context, page, faults, go, turn };
}

function watched(page: Page, url: string): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`));
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(url))
      faults.push(`elsewhere: ${request.url()}`);
  });
  return faults;
}

/** Nothing loads, and nothing moves or changes its colour but what does so for ever. */
const IS_SETTLED = `document.querySelector('[aria-busy="true"]') === null && document.fonts.status === 'loaded' &&
  document.getAnimations().every((one) => one.playState !== 'running' || one.effect.getComputedTiming().endTime === Infinity)`;
/** What a new width or scheme changes is drawn by the second frame. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))';

/**
 * Until the page has its title and nothing on it is on its way. Asked from here again and again: what waits in the page would
 * evaluate the text there, which the policy of the page refuses from the second time on.
 */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.evaluate(DRAWN);
  await until(() => page.evaluate<boolean>(IS_SETTLED), 'the page rests');
}

/** Longer is no way for anybody. */
const TABS_MAX = 80;
const isFocused = (element: unknown): boolean =>
  element ===
  (globalThis as unknown as { readonly document: { readonly activeElement: unknown } }).document.activeElement;

/** By the keys alone: from one thing to the next until `wanted` has the focus, which it must show. */
export async function tabTo(wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await wanted.waitFor();
  const { keyboard } = wanted.page();
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    if (await wanted.evaluate(isFocused)) return;
    await keyboard.press(key);
  }
  throw new Error(`${wanted} is not reached by ${TABS_MAX} times ${key}`);
}

/** WCAG 2.2, A and AA. */
const RULES = {
  all: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  /** Those for which it matters how wide a page is, and in which colours: the others find what they found in the same document. */
  looks: {
    runOnly: {
      type: 'rule',
      values: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'],
    },
  },
} as const;

/** In the browser: each fault, and where it is. */
const runAxe = (which: keyof typeof RULES): string => `axe
  .run(document, ${JSON.stringify({ ...RULES[which], resultTypes: ['violations'] })})
  .then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, target }) => id + ' ' + target + ': ' + html.slice(0, 160))))`;

/** Faults that axe finds. */
export async function axeFaults(page: Page, which: keyof typeof RULES = 'all'): Promise<string[]> {
  // Sent by the debugger, so that the policy of the page has no say; it stays in force for everything else.
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(AXE);
  return page.evaluate(runAxe(which));
}

/** How far the page reaches beyond its window, sideways. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
