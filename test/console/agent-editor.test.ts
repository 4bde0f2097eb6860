import { readFileSync } from 'node:fs';
import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { AgentDefinitionSchema } from '../../src/config/agent-schema.ts';
import { fieldShape, type Shape, shapeFor, wordsOf } from '../../src/config/agent-text/shape.ts';
import { readYaml } from '../../src/config/agent-text/yaml-document.ts';
import { applyChanges } from '../../src/config/agent-text/yaml-edit.ts';
import { completionAt } from '../../src/console/pages/agents/model/completion.ts';
import { directionOf } from '../../src/console/pages/agents/model/direction.ts';
import { DraftStore, isChanged } from '../../src/console/pages/agents/model/draft-store.ts';
import {
  type Field,
  keyOf,
  OWNER_FIELDS,
  SECTIONS,
  SHAPES,
  sectionOf,
} from '../../src/console/pages/agents/model/fields.ts';
import { countBySection, findingsOf, within } from '../../src/console/pages/agents/model/findings.ts';
import { keepDraft, keptDraft } from '../../src/console/pages/agents/model/kept-draft.ts';
import { diffLines, withContext } from '../../src/console/pages/agents/model/line-diff.ts';
import { mergeChanges } from '../../src/console/pages/agents/model/merge.ts';
import { pastedDefinition, renamed } from '../../src/console/pages/agents/model/new-definition.ts';
import { asType, filledIn, headOf, isShown, newItem } from '../../src/console/pages/agents/model/starts.ts';
import { addColumn, addRow, columnsOf, renameColumn } from '../../src/console/pages/agents/model/table-rows.ts';
import { onlyChange } from '../../src/console/pages/agents/model/text-change.ts';

const SHAPE = AgentDefinitionSchema as unknown as Shape;
const texts = (language: string) =>
  JSON.parse(
    readFileSync(new URL(`../../src/console/i18n/locales/${language}/agents.json`, import.meta.url), 'utf8'),
  ) as { fields: Record<string, { label?: string }>; values: Record<string, Record<string, string>> };

/** Every field with the shape of what has it. */
function fieldsOf(
  fields: readonly Field[],
  owner: TSchema | Shape,
): { readonly field: Field; readonly owner: Shape }[] {
  return fields.flatMap((field) =>
    field.kind === 'group' ? fieldsOf(field.fields, owner) : [{ field, owner: owner as Shape }],
  );
}
const shapeOf = (path: readonly string[], owner: Shape | undefined): Shape | undefined =>
  path.reduce<Shape | undefined>((at, step) => at && fieldShape(at, step === 'OTHER' ? 'ar' : step), owner);
const list = (name: string): Shape => SHAPE.properties![name]!.items!;
const SLOT = list('flows').properties!['slots']!.items!;
const ACTIONS = list('flows').properties!['actions']!.items!;
const AFTER = SHAPE.properties!['afterCall']!.properties!;
const ALL = [
  ...fieldsOf(
    SECTIONS.flatMap(({ fields }) => fields),
    SHAPE,
  ),
  ...fieldsOf(SHAPES.intent.fields, list('intents')),
  ...fieldsOf(SHAPES.flow.fields, list('flows')),
  ...fieldsOf(SHAPES.slot.fields, SLOT),
  ...fieldsOf(SHAPES.choice.fields, SLOT.properties!['choices']!.items!),
  ...fieldsOf(SHAPES.knowledge.fields, list('knowledge')),
  ...fieldsOf(SHAPES.outcome.fields, AFTER['outcomes']!.items!),
  ...fieldsOf(SHAPES.callField.fields, AFTER['fields']!.items!),
  ...fieldsOf(SHAPES.tool.fields, list('tools')),
  ...fieldsOf(SHAPES.parameter.fields, list('tools').properties!['parameters']!.items!),
  ...fieldsOf(OWNER_FIELDS, Object.values(SHAPE.properties!['belongsTo']!.patternProperties!)[0]!),
];

describe('the form', () => {
  it('has only fields that an agent has, with the words that may stand there', () => {
    for (const { field, owner } of ALL) {
      const shape = shapeOf(field.path, owner);
      expect({ id: field.id, has: shape !== undefined }).toEqual({ id: field.id, has: true });
      if (field.kind === 'choice')
        expect({ id: field.id, words: [...field.values].sort() }).toEqual({
          id: field.id,
          words: [...wordsOf(shape)].sort(),
        });
    }
    for (const field of SHAPES.action.fields) {
      if (field.id === 'action.type') continue;
      for (const type of field.when!.is) {
        const own = shapeFor(ACTIONS, { type });
        expect({ type, id: field.id, has: own?.properties?.[field.path[0]!] !== undefined }).toEqual({
          type,
          id: field.id,
          has: true,
        });
      }
    }
  });

  it('shows every key of the file but its state, which is changed by publishing', () => {
    const shown = (name: string): boolean => sectionOf([name]) !== undefined;
    expect(Object.keys(SHAPE.properties!).filter((name) => !shown(name))).toEqual(['status']);
    expect([sectionOf(['flows', 0, 'slots']), sectionOf(['routes', 'complaint']), sectionOf(['nothing'])]).toEqual([
      'flows',
      'people',
      undefined,
    ]);
  });

  it.each(['en', 'ar'])('has the name of every field and every word in %s', (language) => {
    const { fields, values } = texts(language);
    const groups = SECTIONS.flatMap(({ fields: own }) => own.filter(({ kind }) => kind === 'group'));
    const every = [...ALL.map(({ field }) => field), ...SHAPES.action.fields, ...groups];
    const without = every.filter(({ id }) => !fields[keyOf(id)]?.label).map(({ id }) => id);
    const words = every.flatMap((field) =>
      field.kind === 'choice' && field.id !== 'action.method'
        ? field.values.filter((value) => !values[keyOf(field.id)]?.[value]).map((value) => `${field.id} ${value}`)
        : [],
    );
    expect({ without, words }).toEqual({ without: [], words: [] });
  });

  it('begins things in the language of the agent, with names of their own', () => {
    expect(newItem(SHAPES.flow, 'ar', [{ name: 'flow' }, { name: 'flow-2' }])).toEqual({
      ...{ name: 'flow-3', slots: [] },
      actions: [{ type: 'say', text: { ar: '' } }],
    });
    expect(headOf(SHAPES.intent, { name: 'track', label: { en: 'tracking' } }, 'ar')).toBe('tracking');
    expect(headOf(SHAPES.knowledge, { question: { ar: ['متى'], en: ['when'] } }, 'ar')).toBe('متى');
    // biome-ignore lint/suspicious/noThenProperty: the word that agent files use
    const lookup = { type: 'lookup', table: 'orders', key: 'order', then: { en: 'x' }, otherwise: { en: 'y' } };
    expect(asType(lookup, 'http', 'en')).toEqual({
      ...{ type: 'http', method: 'GET', url: 'https://' },
      ...Object.fromEntries([
        ['then', { en: 'x' }],
        ['otherwise', { en: 'y' }],
      ]),
    });
    expect(asType(lookup, 'hangup', 'en')).toEqual({ type: 'hangup' });
    const [digits] = SHAPES.slot.fields.filter(({ id }) => id === 'slot.minDigits');
    expect([isShown(digits!, { type: 'digits' }), isShown(digits!, { type: 'date' })]).toEqual([true, false]);
    expect(filledIn('Hello {{name}}, {{ city }}!', { city: 'Riyadh' })).toBe('Hello, Riyadh!');
  });
});

describe('tables of an agent', () => {
  const rows = [{ a: '1', b: '2' }, { a: '3' }];
  it('gain and lose columns and rows', () => {
    expect(columnsOf(rows)).toEqual(['a', 'b']);
    expect(addRow(rows)[2]).toEqual({ a: '', b: '' });
    expect(columnsOf(addColumn(addColumn(rows)))).toEqual(['a', 'b', 'column', 'column_2']);
    expect(renameColumn(rows, 'a', 'key')).toEqual([{ key: '1', b: '2' }, { key: '3' }]);
    expect(renameColumn(rows, 'a', 'b')).toBe(rows);
    expect(renameColumn(rows, 'b', '')).toEqual([{ a: '1' }, { a: '3' }]);
    expect(renameColumn([{ a: '1' }], 'a', '')).toEqual([{ a: '1' }]);
  });
});

describe('what differs between two texts', () => {
  const signs = (before: string, after: string): string =>
    diffLines(before, after)
      .map(({ sign, text }) => `${sign}${text}`)
      .join('|');

  it('is told line by line', () => {
    expect(signs('a\nb\nc\n', 'a\nx\nc\nd\n')).toBe(' a|-b|+x| c|+d');
    expect(signs('', 'a\n')).toBe('+a');
    expect(signs('a\n', '')).toBe('-a');
    expect(signs('a\nb\n', 'a\nb\n')).toBe(' a| b');
    expect(diffLines('a\nb\n', 'b\nc\n').map(({ before, after }) => [before, after])).toEqual([
      [1, undefined],
      [2, 1],
      [undefined, 2],
    ]);
  });

  it('gives the second text again, whatever the two are', () => {
    let seed = 7;
    const next = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed;
    };
    for (let round = 0; round < 200; round += 1) {
      const [a, b] = [0, 1].map(() => Array.from({ length: next() % 12 }, () => 'abc'[next() % 3]).join('\n'));
      const lines = diffLines(a!, b!);
      const of = (sign: '-' | '+'): string =>
        lines.flatMap((line) => (line.sign === ' ' || line.sign === sign ? [line.text] : [])).join('\n');
      expect({ a, b, first: of('-'), second: of('+') }).toEqual({ a, b, first: a, second: b });
    }
  });

  it('is shown with a few lines around it, and the others counted', () => {
    const text = Array.from({ length: 30 }, (_one, index) => `line ${index}`);
    const shown = withContext(diffLines(text.join('\n'), text.with(15, 'other').join('\n')), 2);
    expect(shown.map((one) => ('skipped' in one ? one.skipped : one.sign))).toEqual([
      13,
      ' ',
      ' ',
      '-',
      '+',
      ' ',
      ' ',
      12,
    ]);
  });

  it('of two texts is one stretch for the editor', () => {
    expect(onlyChange('abcd', 'abxd')).toEqual({ from: 2, to: 3, insert: 'x' });
    expect(onlyChange('aa', 'aaa')).toEqual({ from: 2, to: 2, insert: 'a' });
    expect(onlyChange('a', 'a')).toBeUndefined();
  });
});

describe('what two people have changed', () => {
  const base = { name: 'n', greeting: { en: 'a', ar: 'b' }, flows: [{ name: 'x' }, { name: 'y' }] };
  it('is put together where each changed something else', () => {
    const theirs = { ...base, greeting: { en: 'A', ar: 'b' } };
    const mine = {
      ...base,
      greeting: { en: 'a', ar: 'B' },
      flows: [{ name: 'x' }, { name: 'Y' }],
      goodbye: { en: 'g' },
    };
    expect(mergeChanges(base, theirs, mine)).toEqual({
      value: { ...mine, greeting: { en: 'A', ar: 'B' } },
      conflicts: [],
    });
    const { name: _gone, ...without } = base;
    expect(mergeChanges(base, without, { ...base, flows: [] })).toEqual({
      value: { ...without, flows: [] },
      conflicts: [],
    });
  });

  it('is a conflict where both changed the same, unless to the same', () => {
    const theirs = { ...base, name: 'them', flows: [{ name: 'x' }] };
    const mine = { ...base, name: 'me', flows: [{ name: 'x' }, { name: 'y' }, { name: 'z' }] };
    expect(mergeChanges(base, theirs, mine).conflicts).toEqual([['name'], ['flows']]);
    expect(mergeChanges(base, { ...base, name: 'same' }, { ...base, name: 'same' }).conflicts).toEqual([]);
  });
});

describe('findings', () => {
  const parsed = readYaml('name: x\nflows:\n  - name: one\n    slots: []\ngreeting: { en: hi }\n');
  const report = {
    ok: false,
    findings: [
      { severity: 'warning' as const, field: 'flows[0].slots', message: 'w', notice: null },
      { severity: 'error' as const, field: 'greeting.en', message: 'e', notice: null },
    ],
    pronunciation: {
      coverage: 0.9,
      flagged: [{ path: ['greeting', 'en'], sentence: 'hi', token: 'hi', reason: 'r', hint: 'h' }],
    },
  };

  it('stand with their field, errors first', () => {
    const found = findingsOf(parsed, report);
    expect(found.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      'error e',
      'warning w',
      'speech h',
    ]);
    expect(within(found, ['greeting'])).toHaveLength(2);
    expect(within(found, ['flows', 1])).toEqual([]);
    expect([...countBySection(found)]).toEqual([
      ['greeting', { errors: 1, others: 1 }],
      ['flows', { errors: 0, others: 1 }],
    ]);
  });

  it('are those of the text alone where it cannot be read', () => {
    const found = findingsOf(readYaml('a: [\n'), report);
    expect(found.every(({ severity, place }) => severity === 'error' && place !== undefined)).toBe(true);
    expect(found.length).toBeGreaterThan(0);
  });
});

describe('a draft', () => {
  const value = { name: 'x', greeting: { en: 'hi' } };
  const base = { text: 'name: x\ngreeting:\n  en: hi\n', value, tag: '"1"', version: 1 };
  const open = (text = base.text) => {
    let due: (() => void) | undefined;
    const timer = { start: (work: () => void) => (due = work), stop: () => (due = undefined) };
    return { store: new DraftStore(base, text, ['name', 'voice', 'greeting'], timer), rest: () => due?.() };
  };

  it('is one thing in the form and in the text', () => {
    const { store, rest } = open();
    const changes = store.setField(['voice'], 'emma');
    expect(applyChanges(base.text, changes!)).toBe(store.state().text);
    expect(store.state().text).toBe('name: x\nvoice: emma\ngreeting:\n  en: hi\n');
    store.setText(store.state().text.replace('hi', 'hello'));
    expect(store.state().value['greeting']).toEqual({ en: 'hi' });
    rest();
    expect(store.state().value['greeting']).toEqual({ en: 'hello' });
    expect(isChanged(store.state())).toBe(true);
  });

  it('shows the last state that could be read, and takes no change of the form until the text is right', () => {
    const { store, rest } = open();
    store.setText('name: [\n');
    rest();
    expect([store.state().value, store.state().parsed.problems.length > 0]).toEqual([value, true]);
    expect(store.setField(['name'], 'y')).toBeUndefined();
    expect(store.state().text).toBe('name: [\n');
    store.setText(base.text);
    expect(store.setField(['name'], 'y')).toHaveLength(1);
  });

  it('reads what was typed before the form changes it', () => {
    const { store } = open();
    store.setText('name: z\ngreeting:\n  en: hi\n');
    store.setField(['greeting', 'en'], 'ho');
    expect(store.state().value).toEqual({ name: 'z', greeting: { en: 'ho' } });
  });

  it('tells its watchers, and is unchanged when it was saved', () => {
    const { store } = open();
    let told = 0;
    const stop = store.watch(() => (told += 1));
    store.setField(['name'], 'y');
    expect(told).toBe(1);
    store.setBase({ ...base, text: store.state().text, version: 2 });
    expect([isChanged(store.state()), store.state().base.version]).toEqual([false, 2]);
    stop();
    const before = told;
    store.setField(['name'], 'w');
    expect(told).toBe(before);
  });

  it('is kept with the tab, and what is no draft is none', () => {
    const kept = new Map<string, string>();
    const place = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
      removeItem: (key: string) => void kept.delete(key),
    };
    const draft = { text: 'name: y\n', base: { text: 'name: x\n', tag: '"1"', version: 1 } };
    expect(keepDraft('agt_1', draft, place)).toBe(true);
    expect(keptDraft('agt_1', place)).toEqual(draft);
    expect(keptDraft('agt_2', place)).toBeUndefined();
    keepDraft('agt_1', undefined, place);
    expect(keptDraft('agt_1', place)).toBeUndefined();
    place.setItem('nidaa.draft.agt_1', '{"text":');
    expect(keptDraft('agt_1', place)).toBeUndefined();
    const full = () => {
      throw new Error('full');
    };
    expect(keepDraft('agt_1', draft, { ...place, setItem: full })).toBe(false);
  });
});

describe('a new agent', () => {
  it('has its name also where it says it', () => {
    expect(renamed({ name: 'New agent', greeting: { en: 'This is New agent.' }, n: 1 }, 'Corner $& Bakery')).toEqual({
      name: 'Corner $& Bakery',
      greeting: { en: 'This is Corner $& Bakery.' },
      n: 1,
    });
  });

  it('comes from a file without what is no part of a definition', () => {
    const pasted = pastedDefinition('number: "1000"\nsentencesFile: x.tsv\nstatus: live\nname: x\n');
    expect(pasted).toEqual({ definition: { name: 'x' }, number: '1000', lacksSentences: true });
    expect(pastedDefinition('name: [\n')).toMatchObject({ problem: { line: 2, notice: { code: 'yaml.bad-indent' } } });
  });
});

describe('what may be written in the YAML', () => {
  /** The text with `|` where the cursor is. */
  const at = (marked: string, definition: unknown = {}) => {
    const offset = marked.indexOf('|');
    const found = completionAt(marked.replace('|', ''), offset, SHAPE, definition);
    return found?.options.map(({ label }) => label);
  };

  it('are the keys that a thing lacks, above and below the line', () => {
    expect(at('name: x\nvo|\nlanguage: en-US\n')).toEqual(
      Object.keys(SHAPE.properties!).filter((key) => !['name', 'language'].includes(key)),
    );
    expect(
      at('flows:\n  - name: a\n    slots:\n      - name: b\n        ty|\n        prompts:\n          en: [c]\n'),
    ).toEqual([...['type', 'confirm', 'minDigits', 'maxDigits', 'choices', 'constraints']]);
    expect(at('intents:\n- name: a\n- |\n')).toEqual(['name', 'label', 'examples', 'answer', 'flow', 'action']);
    expect(at('greeting:\n  |\n')).toEqual(['ar', 'en']);
  });

  it('are those of the type of an action, where it has one', () => {
    const action = (line: string) => `flows:\n  - name: a\n    actions:\n      - type: ${line}`;
    expect(at(action('transfer\n        |'))).toEqual(['target', 'text']);
    expect(at(action('|'))).toEqual(['say', 'transfer', 'hangup', 'http', 'lookup']);
  });

  it('are the words of a key, and names of what the agent has', () => {
    expect(at('privacy: |')).toEqual(['off', 'redact', 'block']);
    expect(at('intents:\n  - name: a\n    flow: t|', { flows: [{ name: 'track' }] })).toEqual(['track']);
    expect(at('tables:\n  orders: []\nnothing: |')).toBeUndefined();
    expect(at('name: some words |')).toBeUndefined();
  });
});

describe('the direction of a value', () => {
  it('is that of its first letter, where it has letters of both', () => {
    expect([directionOf('hello'), directionOf('"أهلا"'), directionOf('{{name}} أهلا'), directionOf('123')]).toEqual([
      undefined,
      'rtl',
      'ltr',
      undefined,
    ]);
  });
});
