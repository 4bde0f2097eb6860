import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';

let rig: ManageRig;
beforeAll(async () => {
  rig = await manageRig();
});
afterAll(() => rig.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, rig.url), { redirect: 'manual', headers });

describe('the pages of the console', () => {
  it('are one index for every address of a page, which is never kept and lets nothing foreign in', async () => {
    const [index, page] = await Promise.all([get('/console/'), get('/console/agents/agent_1')]);
    expect(await page.text()).toBe(await index.text());
    expect(index.headers.get('cache-control')).toBe('no-cache');
    const policy = index.headers.get('content-security-policy')!;
    expect(policy).toMatch(/default-src 'none'; script-src 'self';.*frame-ancestors 'none'/);
    expect(policy.split('; ').find((one) => one.startsWith('script-src'))).not.toContain('unsafe');
    expect(index.headers.get('x-frame-options')).toBe('DENY');
    expect((await get('/console')).headers.get('location')).toBe('/console/');
  });

  it('load nothing from elsewhere, and no script that stands in the page', async () => {
    const html = await (await get('/console/')).text();
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(named.length).toBeGreaterThan(1);
    for (const address of named) expect(address).toMatch(/^\/console\//);
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  });

  it('have files that are kept for ever, packed as the browser takes them', async () => {
    const html = await (await get('/console/')).text();
    const script = /src="([^"]+\.js)"/.exec(html)![1]!;
    const plain = await get(script, { 'accept-encoding': 'identity' });
    const packed = await rig.app.inject({ url: script, headers: { 'accept-encoding': 'gzip;q=0.5, deflate' } });
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(await plain.text());
    const none = await rig.app.inject({ url: script, headers: { 'accept-encoding': 'br;q=0, zstd' } });
    expect(none.headers['content-encoding']).toBeUndefined();
  });

  it.each([
    '/console/assets/none.js',
    '/console/../package.json',
    '/console/%2e%2e/%2e%2e/package.json',
    '/console/..%2f..%2fpackage.json',
  ])('have no file %s', async (path) => {
    const answer = await rig.app.inject(path);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('"dependencies"');
  });
});
