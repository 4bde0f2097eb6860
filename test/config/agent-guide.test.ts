import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { agentJsonSchema, agentTestsJsonSchema, withKeys } from '../../src/config/agent-guide.ts';
import { loadAgents } from '../../src/config/agents.ts';
import { loadConfig } from '../../src/config/load.ts';
import { loadVoices } from '../../src/config/voices.ts';
import { configFolder } from '../support/config-folder.ts';

const folder = new URL('../../config/agents/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const voices = loadVoices(loadConfig({ env: {} }).paths.voicesFile);
const guide = read('README.md');
const examples = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1]!);

const folders: { remove(): void }[] = [];
afterEach(() => {
  for (const made of folders.splice(0)) made.remove();
});
function load(text: string): ReturnType<typeof loadAgents> {
  const made = configFolder({ 'agent.yaml': text });
  folders.push(made);
  return loadAgents(made.dir, voices, made.dir);
}

describe('the guide for authors of agents', () => {
  it('has the tables of keys as `npm run agents:guide` writes them', () => {
    expect(withKeys(guide)).toBe(guide);
  });

  it('says what every key does, with an example', () => {
    const rows = guide.split('\n').filter((line) => line.startsWith('| `') && !line.startsWith('| `type` | `'));
    expect(rows.length).toBeGreaterThan(70);
    for (const row of rows) expect(row, row).toMatch(/^\| `\w+` \| .+ \| .* \| .{10,} \| `\w+: .+` \|$/);
  });

  it('begins with an agent that works', () => {
    expect(load(examples[0]!)).toMatchObject([{ number: '3000', definition: { name: 'Corner Bakery' } }]);
    expect(examples[0]!.trim().split('\n').length).toBeLessThanOrEqual(15);
  });

  it.each(examples.slice(1).map((text, index) => ({ text, index })))('shows working parts: $index', ({ text }) => {
    const orders = 'tables: { orders: [{ order: "1", status: here }] }\n';
    const slots = '[{ name: order, type: digits, prompts: { en: [Which?] } }]';
    const actions = `flows:\n  - name: track\n    slots: ${slots}\n${text}${orders}`;
    expect(load(`${examples[0]}${text.startsWith(' ') ? actions : text}`)).toHaveLength(1);
  });
});

describe('the schema file for editors', () => {
  const schema = read('agent.schema.json');
  const isAgent = new Ajv({ strict: false }).compile(JSON.parse(schema) as object);

  it('is as `npm run agents:guide` writes it', () => {
    expect(agentJsonSchema()).toBe(schema);
  });

  it.each(['clinic-ar', 'delivery-en'])('knows every key of the tests of %s, which name theirs', (name) => {
    const tests = read('agent-tests.schema.json');
    expect(agentTestsJsonSchema()).toBe(tests);
    const areTests = new Ajv({ strict: false }).compile(JSON.parse(tests) as object);
    const written = read(`${name}.tests.yaml`);
    expect(areTests(parse(written)), JSON.stringify(areTests.errors)).toBe(true);
    expect(areTests({ dialogues: [{ name: 'x', steps: [{ caler: 'hello' }] }] })).toBe(false);
    expect(written).toMatch(/^# yaml-language-server: \$schema=agent-tests\.schema\.json\n/);
  });

  it.each(['clinic-ar.yaml', 'delivery-en.yaml'])('knows every key of %s, which names it', (name) => {
    expect(isAgent(parse(read(name))), JSON.stringify(isAgent.errors)).toBe(true);
    expect(read(name)).toMatch(/^# yaml-language-server: \$schema=agent\.schema\.json\n/);
  });

  it.each([
    { name: 'an unknown key', change: { greetin: 1 } },
    { name: 'an unknown key inside', change: { routes: { fire: {} } } },
    { name: 'a value of the wrong kind', change: { speed: 'fast' } },
  ])('refuses $name', ({ change }) => {
    expect(isAgent({ ...(parse(read('delivery-en.yaml')) as object), ...change })).toBe(false);
  });
});
