import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GUIDES, guideText, moneyText } from '../../src/api/docs/guides.ts';
import { renderMarkdown } from '../../src/api/docs/markdown.ts';
import { DEFAULT_PRICES } from '../../src/billing/prices.ts';
import { loadAgents } from '../../src/config/agents.ts';
import { SHIPPED_CONFIG_DIR } from '../../src/config/load.ts';
import { parseTrunk } from '../../src/config/trunks.ts';
import { loadVoices } from '../../src/config/voices.ts';
import { type ApiRig, apiRig } from '../support/api-rig.ts';
import { ROOT } from '../support/gateway.ts';

const PRICES = {
  ...DEFAULT_PRICES,
  ...{ liveMinuteCents: 11, replyCents: 1, speechCentsPer1000: { 'sada-1': 100, 'nabra-1': 200 } },
};
const LANGUAGES = ['en', 'ar'] as const;
const WRITTEN = ['agents', 'trunks', 'costs'] as const;

let rig: ApiRig;
beforeAll(() => {
  rig = apiRig({ service: { prices: PRICES } });
});
afterAll(() => rig.app.close());

const ask = (url: string, headers: Record<string, string> = {}) =>
  rig.app.inject({ url, headers: { host: 'api.example.com:8080', ...headers } });

describe('the pages', () => {
  it.each(['/docs', '/docs/guides/costs'])(
    '%s lets in nothing of other hosts and no script but our files',
    async (url) => {
      const page = await ask(url);
      expect(page.statusCode).toBe(200);
      const policy = String(page.headers['content-security-policy']).split('; ');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("connect-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy.join()).not.toMatch(/unsafe-eval|https?:|\*/);
      expect(page.headers['x-frame-options']).toBe('DENY');
      expect(page.headers['cache-control']).toBe('no-cache');
      expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|javascript:|\{\{/);
      const named = [...page.body.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g)].map(
        ([, address]) => address!,
      );
      expect(named.length).toBeGreaterThan(2);
      for (const address of named) {
        expect(address).toMatch(/^\/docs\//);
        expect({ address, status: (await ask(address)).statusCode }).toEqual({ address, status: 200 });
      }
    },
  );

  it('load files that are kept for ever, the reference itself too', async () => {
    const folder = join(ROOT, 'dist/docs/assets');
    const bundle = readdirSync(folder).find((name) => name.startsWith('reference-bundle-'))!;
    const packed = await ask(`/docs/assets/${bundle}`, { 'accept-encoding': 'gzip' });
    expect(packed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const plain = readFileSync(join(folder, bundle));
    expect(gunzipSync(packed.rawPayload).equals(plain)).toBe(true);
    expect((await ask(`/docs/assets/${bundle}`, { 'accept-encoding': 'identity' })).rawPayload.equals(plain)).toBe(
      true,
    );
    expect(plain.includes('sourceMappingURL')).toBe(false);
  });

  it.each([
    ...['/docs/assets/none.js', '/docs/assets/..%2freference.html', '/docs/guides/none', '/docs/guides/toString'],
    ...['/docs/guides/..%2f..%2fREADME', '/docs/%2e%2e/package.json'],
  ])('have nothing at %s', async (url) => {
    const answer = await ask(url);
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'not_found']);
  });

  it('are in the language that was asked for, else in that of the browser', async () => {
    const beginning = async (url: string, accepted = ''): Promise<string> =>
      /<html[^>]*>/.exec((await ask(url, { 'accept-language': accepted })).body)![0];
    const [english, arabic] = ['<html lang="en" dir="ltr">', '<html lang="ar" dir="rtl">'];
    for (const url of ['/docs', '/docs/guides/costs']) {
      expect(await beginning(`${url}?lang=ar`, 'en')).toBe(arabic);
      expect(await beginning(`${url}?lang=en`, 'ar')).toBe(english);
      expect(await beginning(url, 'ar-SA,ar;q=0.9')).toBe(arabic);
      expect(await beginning(url, 'arn,en')).toBe(english);
      expect(await beginning(`${url}?lang=<script>`)).toBe(english);
    }
  });
});

describe.each(LANGUAGES)('the guides in %s', (language) => {
  const page = async (name: string): Promise<string> => (await ask(`/docs/guides/${name}?lang=${language}`)).body;

  it.each(Object.keys(GUIDES))(
    '%s has a title, code from left to right, and links that lead somewhere',
    async (name) => {
      const body = await page(name);
      expect(/<h1 id="[^"]+">[^<]+<\/h1>/.test(body)).toBe(true);
      expect(body.match(/<title>[^<]{4,} · Nidaa<\/title>/)).not.toBeNull();
      expect(body.match(/<pre(?! dir="ltr")/)).toBeNull();
      expect(body).toContain(`<a href="/docs/guides/${name}?lang=${language}" aria-current="page">`);
      const links = [...body.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href!);
      expect(links.length).toBeGreaterThan(4);
      for (const href of new Set(links))
        expect({ href, status: (await ask(href)).statusCode }).toEqual({ href, status: 200 });
    },
  );

  it('show what this gateway charges', async () => {
    const body = await page('costs');
    const money = (cents: number): string => moneyText(cents, language);
    // 8 turns of 150 characters at 15 cents; 3 minutes; 8 replies.
    for (const cents of [11, 1, 100, 200, 33, 8, 120, 161]) expect(body).toContain(`>${money(cents)}<`);
    expect(body).not.toMatch(/\{\{|undefined|NaN/);
  });

  it('have an agent that works, and a trunk that can be stored', () => {
    const blocks = (name: 'agents' | 'trunks'): string =>
      [...guideText(name, language, PRICES).matchAll(/```yaml\n(.*?)```/gs)].map(([, block]) => block).join('\n');
    const folder = mkdtempSync(join(tmpdir(), 'nidaa-guide-'));
    writeFileSync(join(folder, 'agent.yaml'), blocks('agents'));
    const [agent] = loadAgents(folder, loadVoices(`${SHIPPED_CONFIG_DIR}/voices.yaml`));
    rmSync(folder, { recursive: true });
    expect(agent!.definition.intents).toHaveLength(2);
    expect(agent!.definition.flows).toHaveLength(2);
    const trunk = parseTrunk(blocks('trunks'), 'the guide', { CARRIER_PASSWORD: 'secret' });
    expect(trunk.definition.allowedPrefixes).toEqual(['+966']);
  });
});

describe('the guides', () => {
  it('have the same chapters and the same code in both languages', () => {
    const shape = (name: (typeof WRITTEN)[number], language: 'en' | 'ar') => {
      const text = guideText(name, language, PRICES);
      return {
        chapters: text.match(/^#+ /gm),
        blocks: [...text.matchAll(/^```(\w+)$/gm)].map(([, kind]) => kind),
        guides: [...text.matchAll(/\(guide:\w+\)/g)].map(([link]) => link),
        commands: [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block),
      };
    };
    for (const name of WRITTEN) expect({ name, ...shape(name, 'ar') }).toEqual({ name, ...shape(name, 'en') });
  });

  it('count money as their language does', () => {
    expect([1, 2, 3, 1_000].map((cents) => moneyText(cents, 'en'))).toEqual([
      '1 cent',
      '2 cents',
      '3 cents',
      '1,000 cents',
    ]);
    expect([1, 2, 3, 11, 100].map((cents) => moneyText(cents, 'ar'))).toEqual([
      ...['سنت واحد', 'سنتان', '3 سنتات', '11 سنتًا', '100 سنت'],
    ]);
  });

  it('show markup as text', () => {
    const { html } = renderMarkdown('# A `b` <i>c</i>\n\n<script>x</script>\n\n`<b>`\n\n```\n<u>\n```', (name) => name);
    expect(html).not.toMatch(/<(?:script|b|u|i)>/);
    expect(html).toContain('&lt;script&gt;x&lt;/script&gt;');
  });
});

describe('the live sockets', () => {
  interface Channel {
    readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[];
    readonly 'x-price': string;
  }
  it('stand on a page of their own: every frame, error, price and sample, at the address that was asked', async () => {
    const document = (await ask('/asyncapi.json')).json();
    const { body } = await ask('/docs/guides/sockets?lang=ar');
    expect(body).toContain('<main lang="en" dir="ltr">');
    expect(body).not.toMatch(/\{base_url\}|\{ws_url\}/);
    const text = body
      .replace(/<[^>]+>/g, '')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"')
      .replace(/&#39;/g, "'")
      .replace(/&amp;/g, '&');
    const messages = Object.entries<{ name: string; summary: string; examples?: { payload: unknown }[] }>(
      document.components.messages,
    );
    for (const [key, { name, summary, examples }] of messages) {
      expect(text, key).toContain(`${name} ${summary.replaceAll('`', '')}`);
      if (examples) expect(text).toContain(JSON.stringify(examples[0]!.payload));
    }
    for (const { 'x-codeSamples': samples, 'x-price': price } of Object.values<Channel>(document.channels)) {
      expect(text).toContain(`Price: ${price}`);
      for (const { source } of samples) expect(text).toContain(source);
    }
    for (const code of document.components.messages.error.payload.properties.error.properties.code.enum) {
      expect(body).toContain(`<td><code dir="ltr">${code}</code></td>`);
    }
  });
});
