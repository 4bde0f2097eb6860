import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createResampler } from '../../src/audio/resampler.ts';
import { wavFile } from '../../src/audio/wav.ts';
import { newId } from '../../src/core/ids.ts';
import { sphinxInstalled } from '../../src/engines/stt/model-folder.ts';
import { hasCommand, microphone, spoken } from '../support/caller-voice.ts';
import { openChromium, openWindow } from '../support/console-browser.ts';
import type { RunningGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { agentFromConfig } from '../support/reply-agents.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { until } from '../support/until.ts';

const ready = hasCommand('chromium') && hasCommand('flite') && sphinxInstalled();
if (!ready) console.warn('\n!!! NOBODY TALKS IN A BROWSER: chromium, flite or pocketsphinx not installed !!!\n');

const PASSWORD = 'correct horse battery';
const WISH = 'where is my order';
const UNDERSTOOD = /where(?:'s| is) my order/;
const QUESTION = /What is your order/;
/** Of a browser's microphone. */
const RATE_HZ = 48_000;

/** Somebody with an account of their own, whose agent is the delivery service: a link that sets their password. */
const newOwner = (gateway: RunningGateway): Promise<string> =>
  withStore(gateway, async ({ accounts, agents, charges, people, personAccess }) => {
    const { id } = await accounts.create('Talks in a browser');
    await charges.topup(`${id}/credit`, id, 1_000, 'topup', 'of a test');
    await agents.importMissing(id, [agentFromConfig('delivery-en').definition]);
    const person = await people.create(id, `${newId('tok')}@example.com`, 'owner');
    if (typeof person === 'string') throw new Error(person);
    return `/welcome#${await personAccess.createLink(id, person.id)}`;
  });

/** A wish that is said again and again, with pauses that also a busy machine understands it in. */
function writeWishes(path: string): void {
  const wish = spoken(WISH);
  const loop = microphone(wish.length / 8_000 + 6, { atS: 0.5, samples: wish });
  const resampler = createResampler(8_000, RATE_HZ);
  writeFileSync(path, wavFile({ channels: 1, sampleRateHz: RATE_HZ }, resampler.push(loop)));
}

describe.skipIf(!ready)('a talk with an agent in the browser', () => {
  const file = join(tmpdir(), `nidaa-wishes-${process.pid}.wav`);
  let gateway: RunningGateway;
  let browser: Browser;
  beforeAll(async () => {
    writeWishes(file);
    gateway = await sharedGateway(inject('gatewayDesk'));
    browser = await openChromium([
      ...['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
      `--use-file-for-fake-audio-capture=${file}`,
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(file, { force: true });
  });

  const said = (page: Page, who: 'You' | 'Agent', text: string | RegExp) =>
    page.getByRole('listitem').filter({ hasText: who }).filter({ hasText: text }).first();

  const press = async (page: Page, keys: string): Promise<void> => {
    for (const key of keys) await page.getByRole('button', { name: key, exact: true }).click();
  };

  it('is understood and answered, takes keys, and is silent when it is interrupted', async () => {
    const { context, page, faults, go } = await openWindow(browser, gateway.api, { language: 'en' });
    page.setDefaultTimeout(60_000);
    await page.goto(`${gateway.api}/console${await newOwner(gateway)}`);
    for (const which of [0, 1]) await page.locator('input[type=password]').nth(which).fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('navigation').waitFor();
    await go('/playground');
    await page.getByRole('button', { name: 'Try an agent' }).click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('button', { name: 'Start talking' }).click();

    await said(page, 'You', UNDERSTOOD).waitFor();
    await said(page, 'Agent', /What is your order number\?.*At your ear.*Gateway/).waitFor();
    await page.getByRole('button', { name: 'Mute' }).click();
    await page.getByRole('button', { name: 'Keys' }).click();
    await press(page, '4521#');
    // A long answer, in the middle of which the caller has a wish: what was not heard yet is not on record.
    await said(page, 'Agent', 'a coffee machine').waitFor();
    await press(page, '*');
    await said(page, 'Agent', 'Interrupted').waitFor();

    await page.getByRole('button', { name: 'Hang up' }).click();
    await page.getByText('You hung up.').waitFor();
    const record = await page.getByRole('link', { name: 'Open the call' }).getAttribute('href');
    const id = record!.split('/').at(-1)!;
    const turns = await withStore(gateway, ({ calls }) =>
      until(async () => {
        const said = (await calls.get(id))?.turns.map(({ text }) => text) ?? [];
        return said.some((text) => QUESTION.test(text)) && said;
      }, 'the turns of the call are on record'),
    );
    expect(turns.some((text) => UNDERSTOOD.test(text))).toBe(true);
    expect(turns.some((text) => text.endsWith('Is there anything else?'))).toBe(false);
    expect(faults).toEqual([]);
    await context.close();
  });
});
