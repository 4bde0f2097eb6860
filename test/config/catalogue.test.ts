import { afterEach, describe, expect, it } from 'vitest';
import { loadAgents } from '../../src/config/agents.ts';
import { loadConfig } from '../../src/config/load.ts';
import { loadPrices } from '../../src/config/prices.ts';
import { checkDefaultVoices, loadVoices } from '../../src/config/voices.ts';
import { espeakArguments } from '../../src/engines/tts/espeak.ts';
import { configFolder, listedProblems } from '../support/config-folder.ts';

const config = loadConfig({ env: {} });
const voices = loadVoices(config.paths.voicesFile);

const folders: { remove(): void }[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});
function folderOf(files: Record<string, string>): string {
  const folder = configFolder(files);
  folders.push(folder);
  return folder.dir;
}

describe('the shipped catalogue', () => {
  it('has every dialect in both genders, and both genders in English', () => {
    for (const dialect of ['najdi', 'hijazi', 'gulf', 'egyptian', 'msa', 'none']) {
      const genders = voices.list.filter((voice) => voice.dialect === dialect).map((voice) => voice.gender);
      expect(new Set(genders), dialect).toEqual(new Set(['female', 'male']));
    }
    expect(voices.list.length).toBeGreaterThanOrEqual(8);
  });

  it('holds the default voices', () => {
    expect(() => checkDefaultVoices(config, voices)).not.toThrow();
    const wrong = (ar: string) => ({ speech: { defaultVoice: { ar, en: 'emma' } } });
    expect(() => checkDefaultVoices(wrong('noora'), voices)).toThrow('did you mean noura?');
    expect(() => checkDefaultVoices(wrong('emma'), voices)).toThrow('which speaks en-US');
  });

  it('asks the synthesiser for nothing it does not take, and no two voices sound alike', () => {
    const settings = voices.list.map((voice) => espeakArguments(voice.espeak, 1, 0).join(' '));
    expect(new Set(settings).size).toBe(settings.length);
  });

  it('says in every description what the embedded synthesiser can do', () => {
    for (const voice of voices.list) expect(voice.description, voice.id).toMatch(/embedded synthesiser/);
  });

  it('has the published prices', () => {
    expect(loadPrices(config.paths.pricesFile)).toEqual({
      replyCents: 2,
      privacyCents: 4,
      askCents: 4,
      transcribeMinuteCents: 3,
      liveMinuteCents: 3,
      speechCentsPer1000: { 'sada-1': 5, 'nabra-1': 10 },
    });
  });

  it('has agents that make sense, each with its number', () => {
    const agents = loadAgents(config.paths.agentsDir, voices);
    expect(agents.length).toBeGreaterThanOrEqual(2);
    for (const { number, definition } of agents) {
      expect(number).toMatch(/^\d+$/);
      expect(definition).not.toHaveProperty('number');
      expect(voices.get(definition.voice)).toBeDefined();
    }
  });
});

describe('loadVoices', () => {
  const voice = `  - id: x
    name: X
    gender: male
    age: 30-50
    language: en-US
    dialect: none
    country: Nowhere
    styles: [Casual]
    description: A voice.
    supportedModels: [sada-1]
    sampleText: Hello.
    espeak: { voice: en-us, pitch: 50, wordsPerMinute: 150 }
`;
  it.each([
    { name: 'a fine one', change: (text: string) => text, problems: [] },
    {
      name: 'no voices',
      change: () => '',
      problems: ['voices.yaml:1 expected a section with voices, got nothing'],
    },
    {
      name: 'twice the same',
      change: (text: string) => text + voice,
      problems: ['voices.yaml:14 voices[1].id: expected an id of its own, got x again'],
    },
    {
      name: 'a key missing',
      change: (text: string) => text.replace('    country: Nowhere\n', ''),
      problems: ['voices.yaml:2 voices[0].country: expected text that is not empty, got nothing'],
    },
    {
      name: 'a style',
      change: (text: string) => text.replace('Casual', 'Angry'),
      problems: [
        'voices.yaml:9 voices[0].styles[0]: expected one of Professional, Formal, Casual, Energetic, got "Angry"',
      ],
    },
    {
      name: 'an age',
      change: (text: string) => text.replace('30-50', '40'),
      problems: ['voices.yaml:5 voices[0].age: expected one of 18-30, 30-50, 60+, got 40'],
    },
    {
      name: 'a dialect of English',
      change: (text: string) => text.replace('none', 'gulf'),
      problems: ['voices.yaml:7 voices[0].dialect: expected none for en-US, got gulf'],
    },
    {
      name: 'an Arabic without one',
      change: (text: string) => text.replace('en-US', 'ar-SA').replace('en-us', 'ar'),
      problems: ['voices.yaml:7 voices[0].dialect: expected an Arabic dialect for ar-SA, got none'],
    },
    {
      name: 'the wrong speaker',
      change: (text: string) => text.replace('en-us', 'ar'),
      problems: ['voices.yaml:13 voices[0].espeak: expected a synthesiser voice for en-US, got ar'],
    },
    {
      name: 'an argument',
      change: (text: string) => text.replace('en-us', '-w'),
      problems: ['voices.yaml:13 voices[0].espeak.voice: expected a voice like ar+f2, got "-w"'],
    },
  ])('$name', ({ change, problems }) => {
    const dir = folderOf({ 'voices.yaml': change(`voices:\n${voice}`) });
    expect(listedProblems(() => loadVoices(`${dir}/voices.yaml`, dir))).toEqual(problems);
  });
});

describe('loadPrices', () => {
  it('wants every price written, in whole cents', () => {
    const dir = folderOf({ 'prices.yaml': 'replyCents: 2.5\nprivacyCents: -1\n' });
    expect(listedProblems(() => loadPrices(`${dir}/prices.yaml`, dir))).toEqual([
      'prices.yaml:1 replyCents: expected whole cents, got 2.5',
      'prices.yaml:2 privacyCents: expected whole cents, got -1',
      'prices.yaml:1 askCents: expected whole cents, got nothing',
      'prices.yaml:1 transcribeMinuteCents: expected whole cents, got nothing',
      'prices.yaml:1 liveMinuteCents: expected whole cents, got nothing',
      'prices.yaml:1 speechCentsPer1000: expected a section with sada-1, nabra-1, got nothing',
    ]);
  });
});

describe('loadAgents', () => {
  const agent = `number: "1000"
name: Tester
language: en-US
voice: emma
model: sada-1
greeting: { en: Hello. }
transferTarget: "200"
intents:
  - name: track
    examples: { en: [where is my order] }
    flow: track
flows:
  - name: track
    slots:
      - { name: order, type: digits, prompts: { en: [Which order?] }, minDigits: 4, maxDigits: 6 }
    actions:
      - { type: lookup, table: orders, key: order, then: { en: "{{state}}" }, otherwise: { en: No. } }
      - { type: transfer }
tables:
  orders:
    - { order: "4521", state: on its way }
`;
  const load = (files: Record<string, string>) => {
    const dir = folderOf(files);
    return loadAgents(dir, voices, dir);
  };

  it('gives number and definition, in order of file name', () => {
    const other = agent.replace('"1000"', '"+96611"').replace('Tester', 'Second');
    const agents = load({ 'b.yaml': other, 'a.yaml': agent, 'notes.txt': 'no agent' });
    expect(agents.map(({ number, definition }) => [number, definition.name])).toEqual([
      ['1000', 'Tester'],
      ['+96611', 'Second'],
    ]);
    expect(agents[0]?.definition.flows?.[0]?.slots[0]).toMatchObject({ name: 'order', minDigits: 4 });
  });

  it.each([
    {
      name: 'a number without quotes',
      from: '"1000"',
      to: '1000',
      problem: '1 number: expected a number in quotes, like "1000", got 1000 (put it in quotes)',
    },
    {
      name: 'an unknown voice',
      from: 'emma',
      to: 'ema',
      problem: '4 voice: expected a voice of voices.yaml, got ema (did you mean emma?)',
    },
    {
      name: 'a voice of another language',
      from: 'emma',
      to: 'noura',
      problem: '4 voice: expected a voice that speaks en, got noura, which speaks ar-SA',
    },
    {
      name: 'no greeting in its language',
      from: '{ en: Hello. }',
      to: '{ ar: مرحبا }',
      problem: '6 greeting: expected a greeting in en, the language of the agent',
    },
    {
      name: 'an empty greeting',
      from: '{ en: Hello. }',
      to: '{}',
      problem: '6 greeting: expected a section with ar, en, got an empty section',
    },
    { name: 'an unknown language', from: 'en: Hello.', to: 'fr: Bonjour.', problem: '6 greeting.fr: unknown key' },
    {
      name: 'an unknown flow',
      from: 'flow: track',
      to: 'flow: trak',
      problem: '11 intents[0].flow: expected a flow, got trak (did you mean track?)',
    },
    {
      name: 'an intent without a purpose',
      from: '    flow: track\n',
      to: '',
      problem: '9 intents[0]: expected an answer, a flow or an action, got none',
    },
    {
      name: 'an unknown table',
      from: 'table: orders',
      to: 'table: parcels',
      problem: '17 flows[0].actions[0].table: expected a table, got parcels (there are: orders)',
    },
    {
      name: 'owners of an unknown table',
      from: 'tables:',
      to: 'belongsTo: { parcels: { column: order, type: digits, prompts: { en: [Which?] } } }\ntables:',
      problem: '19 belongsTo.parcels: expected a table, got parcels (there are: orders)',
    },
    {
      name: 'owners known by a column that rows lack',
      from: 'tables:',
      to: 'belongsTo: { orders: { column: name, type: name, prompts: { en: [Whose?] } } }\ntables:',
      problem: '19 belongsTo.orders.column: expected a column that every row has, got name',
    },
    {
      name: 'an unknown slot',
      from: 'key: order',
      to: 'key: ordr',
      problem: '17 flows[0].actions[0].key: expected a slot, got ordr (did you mean order?)',
    },
    {
      name: 'a row without its key',
      from: 'order: "4521", ',
      to: '',
      problem: '21 tables.orders[0]: expected a column order, by which it is looked up',
    },
    {
      name: 'a cell that is no text',
      from: '"4521"',
      to: '4521',
      problem: '21 tables.orders[0].order: expected text, got 4521 (put it in quotes)',
    },
    {
      name: 'digits the wrong way round',
      from: 'minDigits: 4',
      to: 'minDigits: 9',
      problem: '15 flows[0].slots[0].minDigits: expected at most maxDigits (6), got 9',
    },
    {
      name: 'digits of a date',
      from: 'type: digits',
      to: 'type: choice',
      problem: '15 flows[0].slots[0]: expected choices for a slot of type choice, got none',
    },
    {
      name: 'opening hours of a number',
      from: 'minDigits: 4',
      to: 'constraints: { from: "09:00" }',
      problem: '15 flows[0].slots[0].constraints.from: expected no from for type digits',
    },
    {
      name: 'days the wrong way round',
      from: 'type: digits, prompts: { en: [Which order?] }, minDigits: 4, maxDigits: 6',
      to: 'type: date, prompts: { en: [When?] }, constraints: { earliestDays: 9, latestDays: 3 }',
      problem: '15 flows[0].slots[0].constraints.earliestDays: expected at most latestDays (3), got 9',
    },
    {
      name: 'a closed day that does not exist',
      from: 'type: digits, prompts: { en: [Which order?] }, minDigits: 4, maxDigits: 6',
      to: 'type: date, prompts: { en: [When?] }, constraints: { closed: ["2026-02-30"] }',
      problem: '15 flows[0].slots[0].constraints.closed[0]: expected a day that exists, got 2026-02-30',
    },
    {
      name: 'a third answer to yes or no',
      from: 'type: digits, prompts: { en: [Which order?] }, minDigits: 4, maxDigits: 6',
      to: 'type: yesno, prompts: { en: [Well?] }, choices: [{ value: maybe, say: { en: [maybe] } }]',
      problem: '15 flows[0].slots[0].choices[0].value: expected "yes" or "no" for type yesno, got maybe',
    },
    {
      name: 'a route to nobody',
      from: 'transferTarget: "200"\n',
      to: 'routes: { complaint: { text: { en: Sorry. }, action: { type: transfer } } }\n',
      problem: '7 routes.complaint.action: expected a target, here or as transferTarget of the agent, got none',
    },
    {
      name: 'an unknown slot type',
      from: 'type: digits',
      to: 'type: code',
      problem:
        '15 flows[0].slots[0].type: expected one of text, name, date, time, number, digits, phone, yesno, choice, got "code"',
    },
    {
      name: 'an unknown action',
      from: 'type: transfer',
      to: 'type: explode',
      problem: '18 flows[0].actions[1].type: expected one of say, transfer, hangup, http, lookup, got "explode"',
    },
    {
      name: 'a key of another action',
      from: 'type: transfer',
      to: 'type: hangup, target: "1"',
      problem: '18 flows[0].actions[1].target: unknown key',
    },
    {
      name: 'nobody to transfer to',
      from: 'transferTarget: "200"\n',
      to: '',
      problem: '17 flows[0].actions[1]: expected a target, here or as transferTarget of the agent, got none',
    },
  ])('refuses $name', ({ from, to, problem }) => {
    const changed = agent.replace(from, to);
    expect(changed).not.toBe(agent);
    expect(listedProblems(() => load({ 'a.yaml': changed }))).toContain(`a.yaml:${problem}`);
  });

  it('refuses one number for two agents', () => {
    expect(listedProblems(() => load({ 'a.yaml': agent, 'b.yaml': agent }))).toEqual([
      'b.yaml:1 number: expected a number of its own, got 1000, which a.yaml has',
    ]);
  });

  it('refuses a name twice', () => {
    const twice = agent.replace('tables:', '  - name: track\n    slots: []\n    actions: [{ type: hangup }]\ntables:');
    expect(listedProblems(() => load({ 'a.yaml': twice }))).toEqual([
      'a.yaml:19 flows[1].name: expected a name of its own, got track again',
    ]);
  });

  it('says that a folder is not there', () => {
    expect(listedProblems(() => loadAgents('/nowhere/agents', voices))).toEqual([
      expect.stringMatching(/^\/nowhere\/agents cannot be read/),
    ]);
  });
});
