import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { AgentDefinition } from '../../src/core/agent.ts';
import { compileAgent } from '../../src/engines/reply/compiled-agent.ts';
import { type CommandResult, runHere } from '../support/command-line.ts';
import { configFolder } from '../support/config-folder.ts';

const run = (...args: string[]): Promise<CommandResult> => runHere({ NIDAA_DATA_DIR: '/dev/null/nowhere' }, args);

describe('agents new', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agents-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const make = (name: string, language: string, ...more: string[]): Promise<CommandResult> =>
    run('agents', 'new', name, '--language', language, '--folder', folder, ...more);

  it.each([
    { name: 'Corner Bakery', language: 'en', file: 'corner-bakery.yaml', said: 'please call me back' },
    { name: 'مخبز الزاوية', language: 'ar', file: 'مخبز-الزاوية.yaml', said: 'ابغى اترك رسالة' },
    { name: 'The "B" \\ C', language: 'en', file: 'the-b-c.yaml', said: 'i want to leave a message' },
  ])('$name: a small agent of which nothing is to be said', async ({ name, language, file, said }) => {
    expect(await make(name, language)).toMatchObject({ code: 0, stderr: '' });
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text.trim().split('\n').length).toBeLessThanOrEqual(40);
    const checked = await run('agents', 'validate', folder, '--json');
    expect(JSON.parse(checked.stdout)).toMatchObject([
      {
        name,
        number: '3000',
        ok: true,
        findings: [],
        pronunciation: { flagged_count: name.includes('B') ? expect.any(Number) : 0 },
      },
    ]);
    const agent = compileAgent(parse(text) as AgentDefinition);
    expect(agent.guess(said.split(' '))[0]?.id).toBe('intent:message');
  });

  it('takes the next free number, and never writes over a file', async () => {
    await make('One', 'en');
    await make('Two', 'ar');
    expect(readFileSync(join(folder, 'two.yaml'), 'utf8')).toContain('number: "3001"');
    const before = readFileSync(join(folder, 'one.yaml'), 'utf8');
    const again = await make('One', 'ar');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('one.yaml is there already');
    expect(readFileSync(join(folder, 'one.yaml'), 'utf8')).toBe(before);
  });

  it.each([
    { name: 'a name without letters', args: ['///', 'en'], error: 'A name has letters or digits' },
    {
      name: 'a number that nobody dials',
      args: ['One', 'en', '--number', '1 "2'],
      error: '--number: expected a number',
    },
    { name: 'a language it does not speak', args: ['One', 'fr'], error: 'Allowed choices are ar, en' },
  ])('refuses $name', async ({ args, error }) => {
    const [name = '', language = '', ...more] = args;
    const refused = await make(name, language, ...more);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(error);
  });
});

describe('agents validate', () => {
  const agent = `number: "1000"
name: Tester
language: en-US
voice: emma
model: sada-1
greeting: { en: Hello. }
intents:
  - name: track
    examples: { en: [where is my order, order status] }
    flow: track
  - name: cancel
    examples: { en: [cancel my order] }
    answer: { en: Done. }
flows:
  - name: track
    slots: [{ name: order, type: digits, prompts: { en: [Which order?] }, minDigits: 4, maxDigits: 4 }]
    actions:
      - { type: http, method: GET, url: "https://api.example.com/{{order}}", then: { en: Here. }, otherwise: { en: No. } }
`;
  const check = async (text: string, ...more: string[]): Promise<CommandResult> => {
    const made = configFolder({ 'a.yaml': text });
    try {
      return await run('agents', 'validate', join(made.dir, 'a.yaml'), ...more);
    } finally {
      made.remove();
    }
  };

  it('reads one file as well as a folder', async () => {
    expect(await check(agent)).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    {
      name: 'one sentence for two wishes',
      from: '[cancel my order]',
      to: '[where is my order]',
      code: 1,
      line: 12,
      says: '"where is my order" also means the intent track',
    },
    {
      name: 'the same in other words',
      from: '[cancel my order]',
      to: '[status order please]',
      code: 0,
      line: 12,
      says: '"status order please" says the same as "order status", which also means the intent track',
    },
    {
      name: 'a tool in the own network',
      from: 'api.example.com',
      to: '192.168.1.5:80',
      code: 1,
      line: 18,
      says: '192.168.1.5 is not on the public internet',
    },
    {
      name: 'a tool on this machine',
      from: 'api.example.com',
      to: 'localhost',
      code: 1,
      line: 18,
      says: 'localhost is not on the public internet',
    },
    {
      name: 'a country that has no numbers',
      from: 'model: sada-1',
      to: 'model: sada-1\ncountry: XX',
      code: 1,
      line: 6,
      says: 'there is no country XX',
    },
    {
      name: 'a host that a caller chooses',
      from: 'api.example.com',
      to: '{{order}}.example.com',
      code: 1,
      line: 18,
      says: "a tool's host is fixed",
    },
    {
      name: 'a flow that nothing begins',
      from: 'flow: track',
      to: 'answer: { en: No. }',
      code: 1,
      line: 15,
      says: 'no intent begins the flow track',
    },
    {
      name: 'a misspelt variable',
      from: '{{order}}"',
      to: '{{ordre}}"',
      code: 1,
      line: 18,
      says: 'did you mean {{order}}?',
    },
    {
      name: 'a date without rules',
      from: 'type: digits',
      to: 'type: date',
      code: 1,
      line: 16,
      says: 'expected no minDigits for type date',
    },
  ])('$name', async ({ from, to, code, line, says }) => {
    const changed = agent.replace(from, to);
    expect(changed).not.toBe(agent);
    const checked = await check(changed);
    expect(checked.code).toBe(code);
    const told = `${checked.stdout}${checked.stderr}`.split('\n').find((text) => text.includes(says));
    expect(told).toMatch(new RegExp(`a\\.yaml:${line} `));
  });

  it('tells programs the same', async () => {
    const checked = await check(agent.replace('api.example.com', '10.0.0.1'), '--json');
    expect(checked.code).toBe(1);
    expect(JSON.parse(checked.stdout)).toMatchObject([
      { number: '1000', ok: false, findings: [{ severity: 'error', line: 18, field: 'flows[0].actions[0].url' }] },
    ]);
  });
});
