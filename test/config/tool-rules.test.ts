import { afterEach, describe, expect, it } from 'vitest';
import { loadAgents } from '../../src/config/agents.ts';
import { loadConfig } from '../../src/config/load.ts';
import { loadVoices } from '../../src/config/voices.ts';
import { configFolder, listedProblems } from '../support/config-folder.ts';

const voices = loadVoices(loadConfig({ env: {} }).paths.voicesFile);
const folders: { remove(): void }[] = [];
afterEach(() => {
  for (const made of folders.splice(0)) made.remove();
});
const HEAD = `number: "7000"
name: Shop
language: en-US
voice: emma
model: sada-1
greeting: { en: Hello. }
`;
const GET = 'description: Finds., method: GET, url: "https://api.example.com/o/{{order}}"';
const POST = 'description: Does., method: POST, url: "https://api.example.com/o"';
const ORDER = 'parameters: [{ name: order, type: digits }]';

function problemsOf(text: string): string[] {
  const made = configFolder({ 'agent.yaml': `${HEAD}${text}` });
  folders.push(made);
  return listedProblems(() => loadAgents(made.dir, voices, made.dir)).map((line) => line.replace(/^\S+ /, ''));
}

describe('tools of an agent file', () => {
  it.each([
    `tools: [{ name: find, ${GET}, ${ORDER} }]`,
    `tools: [{ name: find, ${POST}, changes: false, ${ORDER} }]`,
    `tools: [{ name: do, ${POST}, ${ORDER}, confirm: { en: "I do {{order}}. Shall I?" } }]`,
    `tools: [{ name: find, ${GET}, ${ORDER}, headers: { x-key: "{{secret:a}}", accept-language: en } }]`,
    'mcp: [crm]',
    `tools: [{ name: do, ${POST}, ${ORDER}, confirm: { en: "I do {{order}}. Shall I?" } }]
afterCall: { outcomes: [{ name: done, done: [do] }], fields: [{ name: order, type: digits }] }`,
    'mcp: [crm]\nafterCall: { outcomes: [{ name: ticket, done: [crm_open_ticket] }] }',
  ])('may be: %s', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    [`tools: [{ name: do, ${POST}, ${ORDER} }]`, 'tools[0]: expected confirm'],
    [
      `tools: [{ name: do, ${POST}, ${ORDER}, confirm: { en: Shall I do it? } }]`,
      'tools[0].confirm: expected {{order}} in it',
    ],
    [
      `tools: [{ name: do, ${POST}, ${ORDER}, confirm: { en: "Shall I do {{order}}" } }]`,
      'tools[0].confirm.en: expected a question',
    ],
    [
      `tools: [{ name: do, ${POST}, parameters: [{ name: order, type: digits, optional: true }], confirm: { en: "Do {{order}}?" } }]`,
      'tools[0].parameters[0].optional: expected every value',
    ],
    [`tools: [{ name: find, ${GET}, confirm: { en: Shall I? } }]`, 'tools[0].confirm: expected a tool that changes'],
    [
      `tools: [{ name: find, ${GET} }]\nafterCall: { outcomes: [{ name: done, done: [find] }] }`,
      'afterCall.outcomes[0].done[0]: expected a flow, got find',
    ],
    [`tools: [{ name: end_call, ${GET} }]`, 'tools[0].name: expected another name'],
    [`tools: [{ name: find, ${GET} }, { name: find, ${GET} }]`, 'tools[1].name: expected a name of its own'],
    [
      `tools: [{ name: find, ${GET}, parameters: [{ name: a, type: choice }] }]`,
      'tools[0].parameters[0]: expected choices',
    ],
    [`tools: [{ name: find, ${GET}, headers: { x: "{{order}}" } }]`, 'tools[0].headers.x: expected no value'],
    [
      `tools: [{ name: find, ${GET}, headers: { Host: a } }]`,
      'tools[0].headers.Host: expected a header field of your own',
    ],
    [`tools: [{ name: find, ${GET}, headers: { x: "a\\nb" } }]`, 'tools[0].headers.x: expected printable ASCII'],
    [`replyEngine: scripted\ntools: [{ name: find, ${GET} }]`, 'tools: expected a replyEngine with a model'],
    [
      'mcp: [crm]\nintents: [{ name: a, flow: a, examples: { en: [a] } }]\nflows: [{ name: a, slots: [], actions: [{ type: hangup }] }]',
      'mcp: expected no flows beside it',
    ],
  ])('may not be: %s', (text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(problem)]);
  });
});

describe('secrets of tools', () => {
  const read = (yaml: string, env: Readonly<Record<string, string>>, secretsOf?: []): ReturnType<typeof loadConfig> => {
    const made = configFolder({ 'nidaa.yaml': yaml });
    folders.push(made);
    return loadConfig({ env, cwd: made.dir, configDir: made.dir, ...(secretsOf && { secretsOf }) });
  };
  const YAML = 'engines:\n  httpTools:\n    secrets:\n      shop: { env: SHOP_KEY, hosts: [api.example.com] }\n';

  it('are taken from the environment, each with its hosts', () => {
    const { httpTools, modelTools } = read(YAML, { SHOP_KEY: 'k1' }).engines;
    expect(httpTools).toEqual({ allowedHosts: [], secrets: { shop: { value: 'k1', hosts: ['api.example.com'] } } });
    expect(modelTools).toEqual({ callsPerTurn: 4, timeoutMs: 8_000, fillerAfterMs: 1_200, resultChars: 4_000 });
  });

  it('that are missing stop the start, but no command that needs none', () => {
    const at = 'nidaa.yaml:4 engines.httpTools.secrets.shop.env: expected';
    expect(listedProblems(() => read(YAML, {}))).toEqual([
      `${at} a secret in the environment variable SHOP_KEY, got nothing`,
    ]);
    expect(listedProblems(() => read(YAML, { SHOP_KEY: 'a\nb' }))).toEqual([`${at} printable ASCII text in SHOP_KEY`]);
    expect(read(YAML, {}, []).engines.httpTools.secrets['shop']).toEqual({ hosts: ['api.example.com'] });
  });

  it('need hosts', () => {
    expect(listedProblems(() => read(YAML.replace('[api.example.com]', '[]'), { SHOP_KEY: 'k' }))[0]).toContain(
      'hosts',
    );
  });
});

describe('MCP servers of the configuration', () => {
  const SECRETS = '  httpTools: { secrets: { crm: { env: CRM_KEY, hosts: [crm.example.com] } } }\n';
  const read = (crm: string, env: Readonly<Record<string, string>> = { CRM_KEY: 'k1' }) => {
    const made = configFolder({ 'nidaa.yaml': `engines:\n${SECRETS}  mcp:\n    crm: ${crm}\n` });
    folders.push(made);
    return loadConfig({ env, cwd: made.dir, configDir: made.dir }).engines.mcp;
  };
  const URL_ = 'url: "https://crm.example.com/mcp"';

  it('have their secrets filled in, and tools that change something unless they say otherwise', () => {
    const tools = 'tools: { find: { changes: false }, open: { confirm: { en: Shall I? } } }';
    expect(
      read(`{ ${URL_}, headers: { authorization: "Bearer {{secret:crm}}" }, ${tools}, accounts: [acc_1] }`),
    ).toEqual({
      crm: {
        ...{ url: 'https://crm.example.com/mcp', headers: { authorization: 'Bearer k1' }, timeoutMs: 8_000 },
        accounts: ['acc_1'],
        tools: { find: { changes: false }, open: { changes: true, confirm: { en: 'Shall I?' } } },
      },
    });
  });

  it.each([
    [`{ ${URL_}, tools: { open: {} } }`, 'engines.mcp.crm.tools.open: expected confirm'],
    [
      `{ ${URL_}, tools: { open: { confirm: { en: Shall I } } } }`,
      'engines.mcp.crm.tools.open.confirm: expected a question',
    ],
    [`{ ${URL_}, tools: { find: { changes: false, confirm: { en: Shall I? } } } }`, 'tools.find: expected no confirm'],
    [`{ ${URL_}, tools: {} }`, 'engines.mcp.crm.tools: expected 1 to 32'],
    ['{ url: "ftp://a", tools: { find: { changes: false } } }', 'engines.mcp.crm.url: expected an http(s) address'],
    ['{ url: "https://user@a/mcp", tools: { find: { changes: false } } }', 'engines.mcp.crm.url: expected an http(s)'],
    [
      `{ ${URL_}, headers: { x: "{{secret:other}}" }, tools: { find: { changes: false } } }`,
      'headers: expected a secret',
    ],
    [
      '{ url: "https://evil.example/mcp", headers: { x: "{{secret:crm}}" }, tools: { find: { changes: false } } }',
      'headers: expected evil.example among the hosts',
    ],
    [
      '{ url: "http://crm.example.com/mcp", headers: { x: "{{secret:crm}}" }, tools: { find: { changes: false } } }',
      'headers: expected https',
    ],
  ])('may not be %s', (crm, problem) => {
    expect(listedProblems(() => read(crm))).toEqual([expect.stringContaining(problem)]);
  });
});
