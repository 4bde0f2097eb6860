import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Sample } from '../../src/api/operation.ts';
import { axeFaults, openChromium, overflow } from '../support/console-browser.ts';
import type { RunningGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { until } from '../support/until.ts';

/** No name of any other host leads anywhere: what a page needs comes from the gateway or not at all. */
const ALONE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

let gateway: RunningGateway;
let chromium: Browser;
let page: Page;
let faults: string[];
beforeAll(async () => {
  [gateway, chromium] = await Promise.all([sharedGateway(inject('gatewayDesk')), openChromium([ALONE])]);
});
afterAll(() => chromium?.close());
afterEach(() => page?.context().close());

async function open(path: string, look: { width?: number; theme?: 'light' | 'dark' } = {}): Promise<void> {
  const { width = 1_440, theme = 'light' } = look;
  const context = await chromium.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
  page = await context.newPage();
  faults = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', ({ message }) => faults.push(`page: ${message}`));
  page.on('requestfailed', (request) => faults.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
  page.on('response', (answer) => answer.status() >= 400 && faults.push(`${answer.status()}: ${answer.url()}`));
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(`${gateway.api}/`))
      faults.push(`elsewhere: ${request.url()}`);
  });
  // What the policy refuses and nobody reports.
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (e) => console.error(e.violatedDirective, e.blockedURI))",
  );
  await page.goto(`${gateway.api}${path}`);
}

/** The reference is made in the browser: it is there with its first heading. */
const shown = (heading: string | RegExp): Promise<void> =>
  page.getByRole('heading', { name: heading }).first().waitFor();

const DOCUMENTS = [
  {
    document: 'the API',
    slug: 'api',
    first: 'Nidaa API',
    search: 'normal',
    found: '/v1/text/normalize',
    operation: 'tag/voices/GET/v1/models',
    keyOf: async () => gateway.token,
    answer: /sada-1/,
  },
  {
    document: 'the management API',
    slug: 'manage',
    first: 'Nidaa management API',
    search: 'trunk',
    found: '/manage/v1/trunks/{id}',
    operation: 'tag/session/GET/manage/v1/session',
    keyOf: () =>
      withStore(gateway, async ({ accounts, managementKeys }) => {
        const { id } = await accounts.create('A reader');
        return (await managementKeys.create(id, 'of the reference', ['read'])).secret;
      }),
    answer: /of the reference/,
  },
] as const;

describe.each(someOf(DOCUMENTS, 2))(
  '$document in a browser',
  ({ slug, first, search, found, operation, keyOf, answer }) => {
    beforeEach(() => open(`/docs?lang=en#${slug}/${operation}`));

    it('is there, is searched, and tries an operation with a token, all without another host', async () => {
      await shown(first);
      await page.getByRole('button', { name: 'Search' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Search' });
      await dialog.getByRole('combobox').fill(search);
      await dialog
        .getByRole('option', { name: `Path: ${found}` })
        .first()
        .waitFor();
      await page.keyboard.press('Escape');

      const [, method = '', path = ''] = /\/(GET|POST)(\/.*)$/.exec(operation)!;
      const secret = await keyOf();
      await page
        .getByRole('button', { name: new RegExp(`Test Request\\s*\\(${method.toLowerCase()} ${path}\\)`) })
        .click();
      const client = page.getByRole('dialog');
      await client.getByPlaceholder('Token').fill(secret);
      const sent = page.waitForRequest((request) => request.url() === `${gateway.api}${path}`);
      await client.getByRole('button', { name: /^Send/ }).first().click();
      expect((await sent).headers()['authorization']).toBe(`Bearer ${secret}`);
      await client.getByText(answer).first().waitFor();
      expect(faults).toEqual([]);
      expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(secret);
    });
  },
);

describe('the reference', () => {
  it.runIf(EVERY_TEST)('shows the samples of an operation as they are published', async () => {
    await open('/docs?lang=en#api/tag/speech/POST/v1/speech');
    const document = (await (await fetch(`${gateway.api}/openapi.json`)).json()) as {
      readonly paths: { readonly '/v1/speech': { readonly post: { readonly 'x-codeSamples': readonly Sample[] } } };
    };
    const part = page.getByRole('region', { name: 'Synthesise speech' });
    const bare = (text: string): string => text.replace(/\s+/g, '');
    let label = '';
    for (const sample of document.paths['/v1/speech'].post['x-codeSamples']) {
      if (label !== '') {
        await part.getByRole('button', { name: label, exact: true }).click();
        await page.getByRole('option', { name: sample.label, exact: true }).first().click();
      }
      label = sample.label;
      await until(
        async () => bare(await part.locator('pre').first().innerText()).includes(bare(sample.source)),
        `${label} is shown`,
      );
    }
    expect(faults).toEqual([]);
  });

  it.runIf(EVERY_TEST)('has its code and its English from left to right on an Arabic page', async () => {
    await open('/docs?lang=ar#api/tag/speech/POST/v1/speech');
    await shown('Synthesise speech');
    const wrong = `[...document.querySelectorAll('.markdown, .property, pre, div:has(> pre), .endpoint-path')]
      .filter((part) => getComputedStyle(part).direction !== 'ltr').length`;
    await until(
      () =>
        page.evaluate<boolean>(
          "document.querySelectorAll('.property, div:has(> pre)').length > 5 && document.querySelector('.endpoint-path') !== null",
        ),
      'it is drawn',
    );
    expect([await page.evaluate('document.documentElement.dir'), await page.evaluate(wrong)]).toEqual(['rtl', 0]);
  });
});

describe.each(EVERY_TEST ? [1_440, 390] : [390])('the table of errors, %d wide', (width) => {
  it('breaks no code and no status', async () => {
    await open('/docs?lang=en#api', { width });
    const codes = page.locator('.markdown td:has-text("idempotency_in_progress"), .markdown td:text-is("409")');
    await codes.first().waitFor();
    const lines = await codes.evaluateAll((cells) =>
      cells.map((cell) => {
        const range = cell.ownerDocument.createRange();
        range.selectNodeContents(cell.querySelector('code') ?? cell);
        return range.getClientRects().length;
      }),
    );
    expect(lines.length).toBeGreaterThan(2);
    expect(Math.max(...lines)).toBe(1);
  });
});

describe.each(['en', 'ar'] as const)('pages in %s', (language) => {
  const paths = ['/docs', '/docs/guides/agents', '/docs/guides/trunks', '/docs/guides/costs', '/docs/guides/sockets'];
  it.each(paths.filter((_, at) => EVERY_TEST || at === (language === 'ar' ? 0 : 1)))(
    '%s is whole in the light and the dark, wide and narrow',
    async (path) => {
      await open(`${path}?lang=${language}`);
      await page.locator('h1').first().waitFor();
      expect(await page.evaluate('document.documentElement.dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
      for (const { width, colorScheme } of [
        { width: 1_440, colorScheme: 'light' },
        { width: 390, colorScheme: 'dark' },
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await until(
          () => page.evaluate<boolean>(`innerWidth === ${width} && document.fonts.status === 'loaded'`),
          'it rests',
        );
        expect(await overflow(page)).toBe(0);
        // What the reference draws is its maker's.
        if (path !== '/docs') expect(await axeFaults(page)).toEqual([]);
      }
      expect(faults).toEqual([]);
    },
  );
});
