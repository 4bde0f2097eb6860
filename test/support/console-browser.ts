import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { until } from './until.ts';

/** Without looking anything up elsewhere: what the console loads comes from the gateway or not at all. */
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--disable-quic', '--mute-audio'],
];
/** For what comes late on a machine that does much else. */
const PATIENCE_MS = 90_000;
const EXECUTABLE = '/usr/bin/chromium';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const openChromium = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE, args: [...FLAGS, ...more] });

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
  go(path: string): Promise<void>;
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
  return { context, page, faults, go };
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

const IS_SETTLED = `document.querySelector('[aria-busy="true"]') === null && document.fonts.status === 'loaded'`;

/**
 * Until the page has its title and nothing on it is on its way. Asked from here again and again: what waits in the page would
 * evaluate the text there, which the policy of the page refuses from the second time on.
 */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await until(() => page.evaluate<boolean>(IS_SETTLED), 'the page rests');
}

/** In the browser: each fault, and where it is. */
const RUN_AXE = `axe
  .run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
  .then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, target }) => id + ' ' + target + ': ' + html.slice(0, 160))))`;

/** Faults that axe finds: WCAG 2.2, A and AA. */
export async function axeFaults(page: Page): Promise<string[]> {
  // Sent by the debugger, so that the policy of the page has no say; it stays in force for everything else.
  await page.evaluate(AXE);
  return page.evaluate(RUN_AXE);
}

/** How far the page reaches beyond its window, sideways. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
