import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  agentPathOf,
  loadAgentTests,
  readAgentTests,
  requireTests,
  testsPathOf,
} from '../../src/config/agent-tests.ts';
import { loadAgents } from '../../src/config/agents.ts';
import { loadConfig, SHIPPED_CONFIG_DIR } from '../../src/config/load.ts';
import { loadVoices } from '../../src/config/voices.ts';
import { DIALOGUES_MAX, STEPS_MAX, TESTS_CHARS_MAX } from '../../src/core/agent-tests.ts';
import { textOf } from '../../src/core/notice.ts';
import { configFolder } from '../support/config-folder.ts';
import { agentFromConfig } from '../support/reply-agents.ts';

const { definition } = agentFromConfig('delivery-en');
const voices = loadVoices(loadConfig({ env: {} }).paths.voicesFile);
const folders: { remove(): void }[] = [];
afterEach(() => {
  for (const made of folders.splice(0)) made.remove();
});

const dialogue = (...steps: string[]): string =>
  `dialogues:\n  - name: one\n    steps:\n${steps.map((step) => `      - ${step}\n`).join('')}`;
const problems = (text: string): string[] => {
  const read = readAgentTests(text, definition);
  return 'problems' in read ? read.problems.map(({ line, field, said }) => `${line} ${field}: ${textOf(said)}`) : [];
};

describe('what is to be written down after a dialogue', () => {
  const judged = (text: string, of = definition): string[] => {
    const read = readAgentTests(`${dialogue('{ caller: a, agent: { action: none } }')}    after: ${text}\n`, of);
    return 'problems' in read ? read.problems.map(({ line, field, said }) => `${line} ${field}: ${textOf(said)}`) : [];
  };

  it('is of the outcomes and values of the agent, or what dialogues know by themselves', () => {
    expect(judged('{ outcome: cancelled, fields: { order: "", date: 2026-11-23 } }')).toEqual([]);
    expect(judged('{ outcome: hung-up }')).toEqual([]);
  });

  it.each([
    [
      '{ outcome: canceled }',
      'dialogues[0].after.outcome: expected an outcome, got canceled (did you mean cancelled?)',
    ],
    [
      '{ fields: { ordre: "1" } }',
      'dialogues[0].after.fields.ordre: expected a field, got ordre (did you mean order?)',
    ],
    ['{}', 'dialogues[0].after: expected a section with outcome or fields'],
  ])('names what there is not: %s', (text, wanted) => {
    expect(judged(text)).toMatchObject([expect.stringContaining(wanted)]);
  });

  it('needs an agent of which something is written down', () => {
    const { afterCall: _, ...without } = definition;
    expect(judged('{ outcome: done }', without)).toEqual([expect.stringContaining('expected an agent with afterCall')]);
  });
});

describe('a file of dialogues', () => {
  it('is read into what callers do and what is expected', () => {
    const text = `dialogues:
  - name: everything
    language: en
    now: 2026-11-22T10:00
    variables: { customer_name: Sara }
    tools: [{ url: "https://api.example.com/", answer: "{}" }]
    steps:
      - agent: { contains: Hello }
      - caller: where is my order
        agent: { contains: [a, b], not_contains: c, matches: "order (number|id)", intent: track, slot: { order: "" } }
      - keys: 4521#
      - silence: 1.5s
      - interrupt: { after_ms: 900, says: no wait }
      - mishears: { says: four, heard: for }
      - mishears: { says: four, heard: "", confidence: 0.2 }
      - noise: 800 ms
        agent: { action: none, within_ms: 700 }
`;
    const read = readAgentTests(text, definition);
    expect(read).toMatchObject({
      tests: {
        dialogues: [
          {
            ...{
              name: 'everything',
              line: 2,
              language: 'en',
              now: '2026-11-22T10:00',
              variables: { customer_name: 'Sara' },
            },
            tools: [{ url: 'https://api.example.com/', status: 200, answer: '{}' }],
            steps: [
              { line: 8, expected: { line: 8, contains: ['Hello'], notContains: [], matches: [], slots: {} } },
              {
                doing: { type: 'caller', says: 'where is my order' },
                expected: { line: 10, contains: ['a', 'b'], notContains: ['c'], intent: 'track', slots: { order: '' } },
              },
              { doing: { type: 'keys', keys: '4521#' } },
              { doing: { type: 'silence', ms: 1_500 } },
              { doing: { type: 'interrupt', afterMs: 900, says: 'no wait' } },
              { doing: { type: 'mishears', says: 'four', heard: 'for', confidence: 1 } },
              { doing: { type: 'mishears', heard: '', confidence: 0.2 } },
              { doing: { type: 'noise', ms: 800 }, expected: { action: 'none', withinMs: 700 } },
            ],
          },
        ],
      },
    });
  });

  it.each([
    { name: 'no YAML', text: 'dialogues: [', says: /^1 : not YAML/ },
    { name: 'nothing', text: '', says: /^\d+ .*expected a section/ },
    {
      name: 'a misspelt key',
      text: dialogue('caler: hello'),
      says: /^4 dialogues\[0\]\.steps\[0\]\.caler: unknown key \(did you mean caller\?\)/,
    },
    {
      name: 'two doings',
      text: dialogue('caller: hello', '{ caller: hi, keys: "1", agent: { contains: x } }'),
      says: /^5 .*got caller and keys/,
    },
    {
      name: 'an empty step',
      text: dialogue('agent: { contains: x }', '{}'),
      says: /^5 dialogues\[0\]\.steps\[1\]: expected one of caller, keys/,
    },
    {
      name: 'nothing expected',
      text: dialogue('caller: hello'),
      says: /^2 dialogues\[0\]: expected something of the agent/,
    },
    { name: 'an empty expectation', text: dialogue('agent: {}'), says: /^4 .*agent: expected .*got an empty section/ },
    {
      name: 'an unknown intent',
      text: dialogue('agent: { intent: trak }'),
      says: /^4 .*agent\.intent: .*did you mean track\?/,
    },
    {
      name: 'an unknown slot',
      text: dialogue('agent: { slot: { ordr: "1" } }'),
      says: /^4 .*agent\.slot\.ordr: .*did you mean order\?/,
    },
    {
      name: 'an unknown action',
      text: dialogue('agent: { action: dance }'),
      says: /^4 .*agent\.action: expected one of transfer, hangup, none/,
    },
    {
      name: 'a number without quotes',
      text: dialogue('agent: { slot: { order: 4521 } }'),
      says: /^4 .*slot\.order: .*put it in quotes/,
    },
    {
      name: 'keys that are none',
      text: dialogue('keys: 12x', 'agent: { contains: x }'),
      says: /^4 .*keys: expected keys/,
    },
    {
      name: 'a time that is none',
      text: dialogue('silence: soon', 'agent: { contains: x }'),
      says: /^4 .*silence: expected a time like 6s/,
    },
    {
      name: 'a pattern that is none',
      text: dialogue('agent: { matches: "(" }'),
      says: /^4 .*agent\.matches: expected a regular expression/,
    },
    {
      name: 'an interruption without words',
      text: dialogue('interrupt: { after_ms: 5 }', 'agent: { contains: x }'),
      says: /^4 .*interrupt\.says/,
    },
    {
      name: 'a day that does not exist',
      text: dialogue('agent: { contains: x }').replace('    steps', '    now: 2026-02-30T10:00\n    steps'),
      says: /^3 dialogues\[0\]\.now: expected a moment that exists/,
    },
    {
      name: 'a name twice',
      text: `${dialogue('agent: { contains: x }')}${dialogue('agent: { contains: x }').replace('dialogues:\n', '')}`,
      says: /^5 dialogues\[1\]\.name: expected a name of its own/,
    },
    {
      name: 'too many steps',
      text: dialogue(...Array<string>(STEPS_MAX + 1).fill('agent: { contains: x }')),
      says: /steps: .*at most 50.* got 51 entries/,
    },
    {
      name: 'too many dialogues',
      text: `dialogues:\n${Array.from({ length: DIALOGUES_MAX + 1 }, (_, at) => `  - { name: "${at}", steps: [{ agent: { contains: x } }] }\n`).join('')}`,
      says: /dialogues: .*at most 200.* got 201 entries/,
    },
    {
      name: 'too long a text',
      text: `# ${'x'.repeat(TESTS_CHARS_MAX)}`,
      says: /^0 : expected at most 262144 characters/,
    },
  ])('names field and line of $name', ({ text, says }) => {
    expect(problems(text).join('\n')).toMatch(says);
  });

  it('knows intents, questions and what every agent understands, and the facts that owners know', () => {
    for (const intent of ['track', 'what are your opening hours', 'goodbye', 'complaint', 'none']) {
      expect(problems(dialogue(`agent: { intent: ${intent} }`))).toEqual([]);
    }
    expect(problems(dialogue('agent: { slot: { name: Sara, window: evening } }'))).toEqual([]);
  });
});

describe('beside an agent file', () => {
  const AGENT = `number: "1"\nname: Tester\nlanguage: en-US\nvoice: emma\nmodel: sada-1\ngreeting: { en: Hello. }\n`;
  const folder = (files: Record<string, string>): string => {
    const made = configFolder(files);
    folders.push(made);
    return made.dir;
  };

  it('tests are found, and are no agent', () => {
    const dir = folder({ 'a.yaml': AGENT, 'a.tests.yaml': dialogue('agent: { contains: Hello }') });
    const [agent, ...others] = loadAgents(dir, voices);
    expect(others).toEqual([]);
    expect(loadAgentTests(agent!)).toMatchObject({
      path: join(dir, 'a.tests.yaml'),
      tests: { dialogues: [{ name: 'one' }] },
    });
    expect([testsPathOf('/x/a.yml'), agentPathOf('/x/a.tests.yml')]).toEqual(['/x/a.tests.yml', '/x/a.yml']);
  });

  it('what is wrong is told with the file, and none is said to be none', () => {
    const dir = folder({ 'a.yaml': AGENT, 'a.tests.yaml': dialogue('agent: { intent: order }') });
    const [agent] = loadAgents(dir, voices);
    expect(() => loadAgentTests(agent!, dir)).toThrow(
      /a\.tests\.yaml:4 dialogues\[0\]\.steps\[0\]\.agent\.intent: expected/,
    );
    const [lonely] = loadAgents(folder({ 'a.yaml': AGENT }), voices);
    expect(loadAgentTests(lonely!)).toBeUndefined();
    expect(() => requireTests(lonely!)).toThrow(/Tester has no tests: they are looked for in .*a\.tests\.yaml/);
  });

  it('the shipped agents have theirs', () => {
    const shipped = readdirSync(join(SHIPPED_CONFIG_DIR, 'agents'));
    expect(shipped).toEqual(expect.arrayContaining(['delivery-en.tests.yaml', 'clinic-ar.tests.yaml']));
    expect(loadAgents(join(SHIPPED_CONFIG_DIR, 'agents'), voices)).toHaveLength(2);
  });
});
