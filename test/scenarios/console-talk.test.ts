import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { createResampler } from '../../src/audio/resampler.ts';
import { wavFile } from '../../src/audio/wav.ts';
import type { AgentDefinition } from '../../src/core/agent.ts';
import { newId } from '../../src/core/ids.ts';
import { sphinxInstalled } from '../../src/engines/stt/model-folder.ts';
import { BROWSER } from '../support/browser-program.ts';
import { hasCommand, microphone, spoken } from '../support/caller-voice.ts';
import { type ConsoleWindow, openChromium, openWindow } from '../support/console-browser.ts';
import type { RunningGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { agentFromConfig } from '../support/reply-agents.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { until } from '../support/until.ts';

const ready = BROWSER !== undefined && hasCommand('flite') && sphinxInstalled();
if (!ready) console.warn('\n!!! NOBODY TALKS IN A BROWSER: chromium, flite or pocketsphinx not installed !!!\n');

const PASSWORD = 'correct horse battery';
const WISH = 'where is my order';
/** So long that the voice alone interrupts, before anybody knows its words. */
const LONG_WISH = 'where is my order that i made on your website on monday of the last week';
/** A minute and more: whenever it begins, somebody speaks in its middle. */
const LONG_ANSWER = Array.from({ length: 15 }, (_, i) => `Step number ${i + 1} is to look at the light on the left.`);
const LONG_ANSWER_S = 40;
const UNDERSTOOD = /where(?:'s| is) my order/;
const QUESTION = /What is your order/;
/** Of a browser's microphone. */
const RATE_HZ = 48_000;

const DELIVERY = agentFromConfig('delivery-en').definition;
const LONG_WINDED: AgentDefinition = {
  ...{ name: 'Long-winded', language: 'en-US', voice: 'emma', model: 'sada-1', greeting: { en: 'Hello.' } },
  knowledge: [{ question: { en: [LONG_WISH] }, answer: { en: LONG_ANSWER.join(' ') } }],
};

/** Somebody with an account of their own that has the agent: a link that sets their password. */
const newOwner = (gateway: RunningGateway, agent: AgentDefinition): Promise<string> =>
  withStore(gateway, async ({ accounts, agents, charges, people, personAccess }) => {
    const { id } = await accounts.create('Talks in a browser');
    await charges.topup(`${id}/credit`, id, 1_000, 'topup', 'of a test');
    await agents.importMissing(id, [agent]);
    const person = await people.create(id, `${newId('tok')}@example.com`, 'owner');
    if (typeof person === 'string') throw new Error(person);
    return `/welcome#${await personAccess.createLink(id, person.id)}`;
  });

/** As loud as people speak: browsers turn up what they hear first, and a loud voice down from there, to that of somebody farther away. */
const SPOKEN_GAIN = 0.1;

/** A wish that is said again and again, with pauses that also a busy machine understands it in. */
function writeWishes(path: string, text: string, pauseS: number): void {
  const wish = spoken(text).map((sample) => Math.round(sample * SPOKEN_GAIN));
  const loop = microphone(wish.length / 8_000 + pauseS, { atS: 0.5, samples: wish });
  const resampler = createResampler(8_000, RATE_HZ);
  writeFileSync(path, wavFile({ channels: 1, sampleRateHz: RATE_HZ }, resampler.push(loop)));
}

/**
 * In the page: what comes out of its loudspeaker. Each time that it begins to sound, or was silent for as long as no pause between
 * sentences is, by the clock of the audio device; a look sees all of the time since the one before it.
 */
const LISTEN = `(() => {
  const connect = AudioNode.prototype.connect;
  globalThis.soundings = [];
  AudioNode.prototype.connect = function (to, ...more) {
    if (to instanceof AudioDestinationNode) {
      const ear = new AnalyserNode(this.context, { fftSize: 32768 });
      connect.call(this, ear);
      const lately = new Float32Array(ear.fftSize);
      setInterval(() => {
        ear.getFloatTimeDomainData(lately);
        const sounds = lately.some((sample) => Math.abs(sample) > 0.003);
        if (sounds !== (soundings.at(-1)?.sounds ?? false)) soundings.push({ sounds, atS: this.context.currentTime });
      }, 100);
    }
    return connect.call(this, to, ...more);
  };
})()`;
/**
 * In the page: a gateway whose agent is heard in wideband, as far as the page can tell; and how long each piece of the microphone is
 * that it sends. The real one takes wideband for every agent, and halves it where the recogniser wants no more.
 */
const ASKED_FOR_WIDEBAND = `(() => {
  globalThis.pieceBytes = [];
  const Plain = WebSocket;
  globalThis.WebSocket = class extends Plain {
    set onmessage(hear) {
      super.onmessage = ({ data }) =>
        hear({ data: typeof data === 'string' ? data.replace('"input_sample_rate":8000', '"input_sample_rate":16000') : data });
    }
    send(data) {
      if (typeof data !== 'string') pieceBytes.push(data.byteLength);
      super.send(data);
    }
  };
})()`;
interface Sounding {
  readonly sounds: boolean;
  readonly atS: number;
}

describe.skipIf(!ready)('a talk with an agent in the browser', () => {
  const file = join(tmpdir(), `nidaa-wishes-${process.pid}.wav`);
  let gateway: RunningGateway;
  let browser: Browser;
  let window: ConsoleWindow;
  beforeAll(async () => {
    gateway = await sharedGateway(inject('gatewayDesk'));
  });
  afterEach(async () => {
    await browser?.close();
    rmSync(file, { force: true });
  });

  /** Signs in, and starts to talk: the wish is said from now on. */
  async function talk(agent: AgentDefinition, wish: string, pauseS: number, script = ''): Promise<Page> {
    writeWishes(file, wish, pauseS);
    browser = await openChromium([
      ...['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
      `--use-file-for-fake-audio-capture=${file}`,
    ]);
    window = await openWindow(browser, gateway.api, { language: 'en' });
    const { context, page, go } = window;
    await context.addInitScript(`${LISTEN};${script}`);
    await page.goto(`${gateway.api}/console${await newOwner(gateway, agent)}`);
    for (const which of [0, 1]) await page.locator('input[type=password]').nth(which).fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('navigation').waitFor();
    await go('/playground');
    await page.getByRole('button', { name: 'Try an agent' }).click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('button', { name: 'Start talking' }).click();
    return page;
  }

  /** @returns the id of the call. */
  async function hangUp(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Hang up' }).click();
    await page.getByText('You hung up.').waitFor();
    const record = await page.getByRole('link', { name: 'Open the call' }).getAttribute('href');
    return record!.split('/').at(-1)!;
  }

  const said = (page: Page, who: 'You' | 'Agent', text: string | RegExp) =>
    page.getByRole('listitem').filter({ hasText: who }).filter({ hasText: text }).first();

  const press = async (page: Page, keys: string): Promise<void> => {
    for (const key of keys) await page.getByRole('button', { name: key, exact: true }).click();
  };

  it('is understood and answered in wideband, takes keys, and is silent when it is interrupted', async () => {
    const page = await talk(DELIVERY, WISH, 6, ASKED_FOR_WIDEBAND);
    await said(page, 'You', UNDERSTOOD).waitFor();
    expect(new Set(await page.evaluate<number[]>('pieceBytes'))).toEqual(new Set([2 * 16_000 * 0.02]));
    await said(page, 'Agent', /What is your order number\?.*At your ear.*Gateway/).waitFor();
    await page.getByRole('button', { name: 'Mute' }).click();
    await page.getByRole('button', { name: 'Keys' }).click();
    await press(page, '4521#');
    // A long answer, in the middle of which the caller has a wish: what was not heard yet is not on record.
    await said(page, 'Agent', 'a coffee machine').waitFor();
    await press(page, '*');
    await said(page, 'Agent', 'Interrupted').waitFor();

    const id = await hangUp(page);
    const turns = await withStore(gateway, ({ calls }) =>
      until(async () => {
        const said = (await calls.get(id))?.turns.map(({ text }) => text) ?? [];
        return said.some((text) => QUESTION.test(text)) && said;
      }, 'the turns of the call are on record'),
    );
    expect(turns.some((text) => UNDERSTOOD.test(text))).toBe(true);
    expect(turns.some((text) => text.endsWith('Is there anything else?'))).toBe(false);
    expect(window.faults).toEqual([]);
  });

  it.runIf(EVERY_TEST)(
    'falls silent in the middle of an answer when somebody speaks into it, and the page of the call shows where',
    async () => {
      const page = await talk(LONG_WINDED, LONG_WISH, 7);
      await said(page, 'Agent', LONG_ANSWER[0]!).waitFor();
      await said(page, 'Agent', 'Interrupted').waitFor();
      // The greeting, the answer, and whichever are begun anew: none was played to its end.
      const stretches = await until(async () => {
        const [begun, ended, ...more] = (await page.evaluate<Sounding[]>('soundings')).slice(2);
        return begun !== undefined && ended !== undefined && [begun, ended, ...more];
      }, 'the loudspeaker falls silent');
      expect(stretches[1]!.atS - stretches[0]!.atS).toBeLessThan(LONG_ANSWER_S);
      // Who spoke into it is on record with the words, which a busy machine knows later: they are answered then.
      await page.getByRole('listitem').filter({ hasText: 'Agent' }).nth(2).waitFor();

      await hangUp(page);
      await page.getByRole('link', { name: 'Open the call' }).click();
      await page.getByText('interrupted by the caller').first().waitFor();
      expect(await page.locator('del').first().textContent()).toContain(`Step number ${LONG_ANSWER.length}`);
      expect(window.faults).toEqual([]);
    },
  );
});
