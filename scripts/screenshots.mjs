#!/usr/bin/env node
/**
 * Pictures of every page and tab of the console and of its reference, in both languages, wide and narrow, of a gateway that has had real calls.
 *
 *   npm run screenshots [-- FOLDER] [--only calls,agents] [--languages ar,en]
 *
 * Needs chromium, espeak-ng and a recogniser for English. Starts a gateway of its own, calls its agents, opens the console by the
 * one-time link, as a person would. Says which pages wrote errors into the browser's console or are wider than their window.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { startGateway } from './bench/latency/gateway-process.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, languages: { type: 'string', default: 'en,ar' } },
});
const folder = positionals[0] ?? '.cache/screenshots';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'];
const PASSWORD = 'a password for pictures';
/** Calls that show what pages are for: a question and its answer, an interruption, keys, a language that is typed. */
const CALLS = [
  [
    '1000',
    '--from',
    '+966501234567',
    '--say',
    'where is my order',
    '--keys',
    '4521',
    '--say',
    'thank you',
    '--say',
    'goodbye',
  ],
  [
    '1000',
    '--from',
    '+966551112233',
    '--say',
    'what are your opening hours',
    '--interrupt',
    'no wait',
    '--say',
    'where is my order',
  ],
  [
    '1000',
    '--from',
    '+966533334444',
    '--say',
    'change my address',
    '--keys',
    '4521',
    '--say',
    'no',
    '--say',
    'let me talk to a person',
  ],
  ['2000', '--from', '+966507654321', '--language', 'ar-SA', '--keys', '1', '--keys', '2', '--pause', '4000'],
];
/** Its two questions are one, and nobody can tell which answer is meant: what a check says of it stands in the editor. */
const FLAWED = `# What callers of the corner shop ask for.
name: Corner Shop
language: en-US
voice: emma
model: sada-1
greeting: { en: Corner shop. How can I help you? } # said first
knowledge:
  - question: { en: [what are your opening hours] }
    answer: { en: We open at nine. }
  - question: { en: [what are your opening hours] }
    answer: { en: We open at ten. }
`;
const LOOKS = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 390 },
];

const gateway = await startGateway({ NIDAA_LOG_LEVEL: 'error' });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
const faults = [];
try {
  await Promise.all([
    callAll(CALLS.filter((_call, i) => i % 2 === 0)),
    callAll(CALLS.filter((_call, i) => i % 2 === 1)),
  ]);
  const state = await signIn();
  mkdirSync(folder, { recursive: true });
  for (const language of values.languages.split(',')) await shootAll(state, language);
} finally {
  await browser.close();
  await gateway.stop();
}
process.stdout.write(faults.length > 0 ? `${faults.join('\n')}\n` : 'no page has a fault\n');
process.exitCode = faults.length > 0 ? 1 : 0;

async function callAll(calls) {
  for (const [number, ...args] of calls)
    await gateway.nidaa('call', gateway.uri(number), ...args).catch(() => undefined);
}

/** By the link that the gateway printed; and a few things for the lists. */
async function signIn() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(gateway.welcome);
  await page.locator('input[type=email]').fill('sara@example.com');
  for (const field of await page.locator('input[type=password]').all()) await field.fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.getByRole('navigation').waitFor();
  const post = (path, body) =>
    page.evaluate(
      async ([path, body]) => {
        const headers = { 'content-type': 'application/json', 'x-nidaa-console': '1' };
        const answer = await fetch(`/manage/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
        return answer.ok ? answer.json() : Promise.reject(new Error(`${path}: ${await answer.text()}`));
      },
      [path, body],
    );
  await post('/tokens', { name: 'website' });
  await post('/keys', { name: 'backup', scopes: ['read'] });
  await post('/people', { email: 'noura@example.com', role: 'editor' });
  await post('/phones', { name: 'reception', username: 'reception' }).catch((error) => faults.push(error.message));
  await post('/webhooks', { url: 'https://crm.example.com/nidaa', events: ['call.ended'] }).catch((error) =>
    faults.push(error.message),
  );
  const trunk = { name: 'carrier', hosts: [{ uri: 'sip:sip.carrier.example' }], allowedPrefixes: ['+966'] };
  await post('/trunks', { definition: trunk }).catch((error) => faults.push(error.message));
  const { id: flawed } = await post('/agents', { yaml: FLAWED });
  const file = Buffer.from('Parking is free for two hours. The pool is 25 metres long.').toString('base64');
  await post(`/agents/${flawed}/documents`, { file, filename: 'house-rules.txt' }).catch((error) =>
    faults.push(error.message),
  );
  const { items: calls } = await page.evaluate(() => fetch('/manage/v1/calls').then((answer) => answer.json()));
  const { items: agents } = await page.evaluate(() => fetch('/manage/v1/agents').then((answer) => answer.json()));
  const cookies = await context.storageState();
  await context.close();
  return { cookies, calls, agents, flawed };
}

function tabs(page, ids) {
  return Object.fromEntries(ids.map((id) => [`${page}-${id}`, `/${page}?tab=${id}`]));
}

async function shootAll({ cookies, calls, agents, flawed }, language) {
  const english = agents.find((agent) => agent.status === 'live' && agent.language.startsWith('en')) ?? agents[0];
  // The dearest has most turns: it shows most of what a page of a call can show.
  const fullest = calls.toSorted((a, b) => b.cost_cents - a.cost_cents)[0];
  const pages = {
    overview: '/',
    ...{
      live: '/live',
      calls: '/calls',
      call: `/calls/${fullest?.id}`,
      agents: '/agents',
      editor: `/agents/${english?.id}`,
    },
    ...{ flawed: `/agents/${flawed}`, tests: '/tests', dialogues: `/tests/${english?.id}`, playground: '/playground' },
    ...tabs('numbers', ['routes', 'numbers', 'trunks', 'phones', 'refused', 'connect']),
    ...tabs('account', ['usage', 'ledger', 'do-not-call', 'settings']),
    ...{ people: '/people', webhooks: '/webhooks', unknown: '/nowhere' },
    ...tabs('system', ['gateway', 'engines', 'queues', 'errors', 'accounts']),
  };
  const outside = {
    ...{ 'sign-in': '/console/', welcome: '/console/welcome#old', reference: '/docs' },
    ...Object.fromEntries(['agents', 'trunks', 'costs'].map((guide) => [`guide-${guide}`, `/docs/guides/${guide}`])),
  };
  const wanted = values.only?.split(',');
  for (const { theme, width } of LOOKS) {
    const context = await browser.newContext({
      storageState: cookies,
      viewport: { width, height: 900 },
      locale: language,
      colorScheme: theme,
    });
    await context.addInitScript(
      (kept) => localStorage.setItem('nidaa.preferences', kept),
      JSON.stringify({ language, theme: 'auto' }),
    );
    const page = await context.newPage();
    let name;
    page.on('console', (message) => {
      // Whoever has not signed in is asked who they are all the same: the answer is 401.
      const isExpected = name === 'sign-in' && message.text().includes('401');
      if (message.type() === 'error' && !isExpected) faults.push(`${name} ${language}: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`${name} ${language}: ${error.message}`));
    const shown = (all) => Object.entries(all).filter(([one]) => !wanted || wanted.includes(one));
    const shoot = async (each, path) => {
      name = each;
      await page.goto(`${gateway.api}${path}`);
      await page.locator('h1').first().waitFor();
      await page
        .waitForFunction(() => document.querySelector('[aria-busy="true"]') === null, null, { timeout: 10_000 })
        .catch(() => faults.push(`${name} ${language}: still loading`));
      await page
        .locator('.mantine-Loader-root')
        .waitFor({ state: 'detached', timeout: 10_000 })
        .catch(() => faults.push(`${name} ${language}: still busy`));
      await page.waitForTimeout(500); // drawn by canvases after their data came
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) faults.push(`${name} ${language} ${width}: ${over} px too wide`);
      await page.screenshot({ path: join(folder, `${name}-${language}-${width}.png`), fullPage: true });
    };
    for (const [each, path] of shown(pages)) await shoot(each, `/console${path}`);
    await context.clearCookies();
    for (const [each, path] of shown(outside)) await shoot(each, path);
    await context.close();
  }
}
