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

  describe('the copy button', () => {
    let figure = 'document';
    let presses = 0;
    const button = () => `${figure}.querySelector('.copy')`;
    const sample = () => `${figure}.querySelector('pre').textContent`;
    const noClipboard = "Object.defineProperty(navigator, 'clipboard', { value: undefined });";
    const noCommand = 'document.execCommand = () => false;';
    const writes = (way: string) => `navigator.clipboard.writeText = () => ${way};`;
    const press = async (browser: string) => {
      figure = `document.querySelectorAll('figure.shown')[${presses++}]`; // another each time: the clipboard is one
      await visit({ width: 1280, height: 900 });
      await page.evaluate(`${browser} ${button()}.click()`);
      await page.until(`${button()}.textContent !== 'Copy'`, 10_000);
      return page.evaluate<string>(`${button()}.textContent`);
    };
    const pasted = async () => {
      await page.evaluate(
        "window.field = document.createElement('textarea'); document.body.append(field); field.focus()",
      );
      await page.paste();
      await page.until("field.value !== ''", 10_000);
      return page.evaluate<string>('field.value');
    };

    it.each([
      { browser: 'as it is', page: '' },
      { browser: 'without a clipboard', page: noClipboard },
      { browser: 'that refuses its clipboard', page: writes("Promise.reject(new Error('refused'))") },
      { browser: 'that never answers about its clipboard', page: writes('new Promise(() => {})') },
    ])('copies in a browser $browser', async ({ page: script }) => {
      expect(await press(script)).toBe('Copied');
      expect(await pasted()).toBe(await page.evaluate(sample()));
    });

    it.each([
      { browser: 'without a clipboard', page: noClipboard + noCommand },
      { browser: 'that refuses its clipboard', page: writes("Promise.reject(new Error('refused'))") + noCommand },
      { browser: 'whose command throws', page: `${noClipboard} document.execCommand = () => { throw new Error() };` },
    ])('selects the sample and says so in a browser $browser and lets nothing copy', async ({ page: script }) => {
      expect(await press(script)).toBe('Selected: press Ctrl+C');
      expect(await page.evaluate(`getSelection().toString().trim() === ${sample()}.trim()`)).toBe(true);
    });
  });

  it.each([320, 390, 768, 1024, 1280, 1600])('fits a screen %i pixels wide', async (width) => {
    await page.emulate({ width, height: 800 });
    if (width === 320) await visit({ width, height: 800 });
    await page.until(`innerWidth === ${width}`);
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
