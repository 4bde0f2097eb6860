import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import {
  AGENT_TEXT_CHARACTERS_MAX,
  fileText,
  isTextOf,
  newText,
  textAfter,
  textWith,
} from '../../src/config/agent-text/agent-text.ts';
import { readYaml } from '../../src/config/agent-text/yaml-document.ts';
import { loadAgents } from '../../src/config/agents.ts';
import { Problems } from '../../src/config/problems.ts';
import { loadVoices } from '../../src/config/voices.ts';
import { YamlFile } from '../../src/config/yaml-file.ts';
import type { AgentDefinition } from '../../src/core/agent.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

const CONFIG = fileURLToPath(new URL('../../config', import.meta.url));
const shipped = loadAgents(join(CONFIG, 'agents'), loadVoices(join(CONFIG, 'voices.yaml')));

const TEXT = `# A shop.
name: Shop # its name
language: en-US

# Who speaks
voice: emma
model: sada-1
greeting:
  en: Hello. # short
`;
const SHOP = readYaml(TEXT).value as unknown as AgentDefinition;

describe('the text of a definition', () => {
  it.each(shipped.map((file) => [file.definition.name, file] as const))(
    'of the shipped %s is its file, without its number and with its sentences',
    (_name, { definition, text }) => {
      const written = text() ?? '';
      expect(isTextOf(written, definition)).toBe(true);
      expect(written).not.toMatch(/^(number|sentencesFile):/m);
      expect(written.split('\n')[1]).toMatch(/^# /);
      expect(written.match(/ # /g)?.length).toBeGreaterThan(0);
    },
  );

  it.each<{ name: string; change: Partial<AgentDefinition>; text: string }>([
    { name: 'nothing', change: {}, text: TEXT },
    { name: 'one field', change: { greeting: { en: 'Hi.' } }, text: TEXT.replace('Hello.', 'Hi.') },
    {
      name: 'a new field',
      change: { description: 'Sells.' },
      text: TEXT.replace('language', 'description: Sells.\nlanguage'),
    },
  ])('stays where $name is other', ({ change, text }) => {
    const definition = { ...SHOP, ...change };
    expect(textAfter(TEXT, definition)).toBe(text);
    expect(isTextOf(text, definition)).toBe(true);
  });

  it.each(['', 'name: [', '- 1', 'a: &a [1]\nb: *a'])(
    'is a new one where the one before is of no use: %j',
    (before) => {
      const text = textAfter(before, SHOP);
      expect(isTextOf(text ?? '', SHOP)).toBe(true);
    },
  );

  it('is none where there was none, where it says another definition, and where it is too long', () => {
    expect(textAfter(undefined, SHOP)).toBeUndefined();
    expect(textWith(TEXT, { ...SHOP, voice: 'james' })).toBeUndefined();
    expect(textWith(TEXT, SHOP)).toBe(TEXT);
    const long = `${TEXT}#${'x'.repeat(AGENT_TEXT_CHARACTERS_MAX - TEXT.length - 1)}`;
    expect([textWith(long, SHOP)?.length, textWith(`${long}x`, SHOP)]).toEqual([AGENT_TEXT_CHARACTERS_MAX, undefined]);
    expect(textAfter(`${long}x`, SHOP)).toBeUndefined();
  });

  it.runIf(EVERY_TEST)('is found in time that grows with it alone, whatever somebody sends', () => {
    const flat = (keys: number) => `${Array.from({ length: keys }, (_, at) => `k${at}: v # c`).join('\n')}\nname: x\n`;
    const inLine = (keys: number) => `{ ${Array.from({ length: keys }, (_, at) => `k${at}: v`).join(', ')}, name: x }`;
    const costOf = (text: string): number => {
      const before = process.cpuUsage();
      expect(isTextOf(textAfter(text, SHOP) ?? '', SHOP)).toBe(true);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    for (const textOf of [flat, inLine]) {
      costOf(textOf(2_000)); // what is compiled meanwhile counts in neither
      const [small, large] = [costOf(textOf(3_000)), costOf(textOf(30_000))];
      expect(large / small).toBeLessThan(40); // 10 where it grows with it, 100 where with its square
    }
  });

  it('of a file has no key twice either', () => {
    const problems = new Problems('/');
    const file = new YamlFile('a.yaml', problems, 'name: a\nname: b\n');
    expect(file.read(Type.Object({ name: Type.String() }))).toBeUndefined();
    expect(problems.count).toBe(1);
  });

  it('has no key twice', () => {
    const { problems } = readYaml('a: 1\nb: { c: 1, c: 2 }\na: 3\n');
    expect(problems.map(({ line, notice }) => [line, notice.code])).toEqual([
      [3, 'yaml.duplicate-key'],
      [2, 'yaml.duplicate-key'],
    ]);
  });

  it('as a file has the number before its first key, however it is written', () => {
    expect(fileText(TEXT, '1000')).toBe(TEXT.replace('name:', 'number: "1000"\nname:'));
    expect(fileText(TEXT, undefined)).toBe(TEXT);
    for (const text of [newText(SHOP), JSON.stringify(SHOP), `---\n${TEXT}`, `%YAML 1.2\n---\n${TEXT}`]) {
      expect(readYaml(fileText(text, '+9661')).value).toEqual({ ...SHOP, number: '+9661' });
    }
  });
});
