import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig } from '../support/api-rig.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { Chromium } from '../support/chromium.ts';

const ready = hasCommand('chromium');
if (!ready) console.warn('\n!!! THE REFERENCE IS NOT LOOKED AT: chromium not installed !!!\n');

describe.skipIf(!ready)('the reference in a browser', () => {
  let rig: ApiRig;
  let page: Chromium;
  let url: string;
  beforeAll(async () => {
    rig = apiRig();
    url = `${await rig.app.listen({ port: 0, host: '127.0.0.1' })}/docs`;
    page = await Chromium.start();
  });
  afterAll(async () => {
    await page?.close();
    await rig?.app.close();
  });
  const visit = async (screen: Parameters<Chromium['emulate']>[0]): Promise<void> => {
    await page.emulate(screen);
    await page.goTo('about:blank');
    await page.until("location.href === 'about:blank'");
    await page.goTo(url);
    await page.until("document.documentElement.classList.contains('js') && document.readyState === 'complete'");
  };
  const shown = (label: string): Promise<number> =>
    page.evaluate(`document.querySelectorAll('figure.shown[data-label="${label}"]').length`);

  it('shows one language at a time, everywhere the one that was chosen, also the next time', async () => {
    await visit({ width: 1280, height: 900 });
    const operations = await page.evaluate<number>(
      "document.querySelectorAll('section .samples [role=tablist]').length",
    );
    expect(operations).toBeGreaterThan(13);
    expect(await shown('curl')).toBe(operations - 1); // the socket has none
    await page.evaluate(
      "[...document.querySelectorAll('[role=tab]')].find((tab) => tab.textContent === 'Python').click()",
    );
    expect([await shown('Python'), await shown('curl')]).toEqual([operations, 0]);
    await visit({ width: 1280, height: 900 });
    expect(await shown('Python')).toBe(operations);
  });

  it('puts the token of the reader into the samples, and takes it out again', async () => {
    await visit({ width: 1280, height: 900 });
    const type = (token: string) =>
      page.evaluate(
        `key.value = '${token}'; key.dispatchEvent(new Event('input')); document.querySelector('mark').textContent`,
      );
    expect(await type('service_sk_live_x')).toBe('service_sk_live_x');
    const first = await page.evaluate<string>("document.querySelector('#listAgents figure pre').textContent");
    expect(first).toContain("Bearer service_sk_live_x'");
    expect(await type('')).toBe('<API_KEY>');
  });

  it('copies a sample', async () => {
    await visit({ width: 1280, height: 900 });
    const copied = "document.querySelector('figure.shown .copy').textContent === 'Copied'";
    await page.evaluate("document.querySelector('figure.shown .copy').click()");
    await page.until(copied, 10_000);
  });

  it.each([320, 390, 768, 1024, 1280, 1600])('fits a screen %i pixels wide', async (width) => {
    await visit({ width, height: 800 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  it('has its menu folded away on a phone, until it is wanted', async () => {
    await visit({ width: 390, height: 800 });
    const isOpen = () => page.evaluate<boolean>("getComputedStyle(document.querySelector('nav')).display !== 'none'");
    expect(await isOpen()).toBe(false);
    await page.evaluate("document.querySelector('.menu').click()");
    expect(await isOpen()).toBe(true);
    await page.evaluate('document.querySelector(\'nav a[href="#transcribe"]\').click()');
    expect([await isOpen(), await page.evaluate<string>('location.hash')]).toEqual([false, '#transcribe']);
  });

  it('is dark where the reader wants it dark', async () => {
    const brightness = () =>
      page.evaluate<number>('Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0])');
    await visit({ width: 800, height: 600 });
    expect(await brightness()).toBeGreaterThan(200);
    await visit({ width: 800, height: 600, dark: true });
    expect(await brightness()).toBeLessThan(60);
  });

  it('asks nobody for anything', async () => {
    await visit({ width: 800, height: 600 });
    expect(await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")).toEqual([]);
  });
});
