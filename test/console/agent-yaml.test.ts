import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AgentDefinitionSchema } from '../../src/config/agent-schema.ts';
import { isEqual, sharing, withValue } from '../../src/config/agent-text/equal.ts';
import type { Shape } from '../../src/config/agent-text/shape.ts';
import {
  fieldName,
  pathAt,
  pathOfField,
  placeOf,
  readYaml,
  valueAt,
} from '../../src/config/agent-text/yaml-document.ts';
import { applyChanges, changeField } from '../../src/config/agent-text/yaml-edit.ts';
import { writeDefinition } from '../../src/config/agent-text/yaml-text.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

const SHIPPED = ['delivery-en', 'clinic-ar'].map((name) =>
  readFileSync(new URL(`../../config/agents/${name}.yaml`, import.meta.url), 'utf8'),
);
const ORDER = Object.keys(AgentDefinitionSchema.properties);
type Path = (string | number)[];

function pathsIn(value: unknown, at: Path = []): Path[] {
  const steps: (string | number)[] = Array.isArray(value)
    ? value.map((_one, index) => index)
    : typeof value === 'object' && value !== null
      ? Object.keys(value)
      : [];
  return steps.flatMap((step) => [
    [...at, step],
    ...pathsIn((value as Record<string | number, unknown>)[step], [...at, step]),
  ]);
}

/** The text after a field was given another value. */
function edited(text: string, path: Path, value: unknown): string {
  const changed = changeField(readYaml(text), path, value, ORDER);
  return changed ? applyChanges(text, changed.changes) : text;
}

describe('a field that the form changes', () => {
  it.each([
    ['a word', 'a: 1 # one\nb: two # kept\n', ['b'], 'three', 'a: 1 # one\nb: three # kept\n'],
    ['a word that needs quotes', 'a: x\n', ['a'], 'y: z # n', 'a: "y: z # n"\n'],
    ['a word in brackets', 'a: { b: x, c: y } # why\n', ['a', 'b'], 'p, q', 'a: { b: "p, q", c: y } # why\n'],
    ['lines', 'a: x\nb: y\n', ['a'], 'one\ntwo', 'a: |-\n  one\n  two\nb: y\n'],
    ['lines that become a word', 'a: |\n  one\n  two\nb: y\n', ['a'], 'x', 'a: x\nb: y\n'],
    [
      'a new key, where it belongs',
      '# top\nname: n\nvoice: v\n',
      ['language'],
      'en-US',
      '# top\nname: n\nlanguage: en-US\nvoice: v\n',
    ],
    ['a new key within', 'a:\n  b: 1 # one\nc: 2\n', ['a', 'd'], 'x', 'a:\n  b: 1 # one\n  d: x\nc: 2\n'],
    ['a new key within brackets', 'a: { b: 1 }\n', ['a', 'd'], 'x', 'a: { b: 1, d: x }\n'],
    ['a key whose parent is new', 'a: 1\n', ['b', 'c'], 'x', 'a: 1\nb:\n  c: x\n'],
    ['a key that goes', 'a: 1\n# of b\nb: 2 # two\nc: 3\n', ['b'], undefined, 'a: 1\n# of b\nc: 3\n'],
    ['the last key of a parent', 'a: 1\nb:\n  c: x\nd: 2\n', ['b', 'c'], undefined, 'a: 1\nd: 2\n'],
    ['a key in brackets that goes', 'a: { b: 1, c: 2, d: 3 }\n', ['a', 'c'], undefined, 'a: { b: 1, d: 3 }\n'],
    ['the first key of an item', 'a:\n  - b: 1\n    c: 2\n', ['a', 0, 'b'], undefined, 'a:\n  - c: 2\n'],
    ['an item that goes', 'a:\n  - x # ex\n  - y # why\n  - z\n', ['a', 1], undefined, 'a:\n  - x # ex\n  - z\n'],
    ['an item more', 'a:\n  - x # ex\nb: 1\n', ['a'], ['x', 'y'], 'a:\n  - x # ex\n  - y\nb: 1\n'],
    ['an item in front', 'a:\n  - x # ex\n', ['a'], ['w', 'x'], 'a:\n  - w\n  - x # ex\n'],
    ['an item between, in brackets', 'a: [x, z] # so\n', ['a'], ['x', 'y', 'z'], 'a: [x, y, z] # so\n'],
    ['an item in brackets that goes', 'a: [x, y,\n  z]\n', ['a', 0], undefined, 'a: [y,\n  z]\n'],
    ['a list that was empty', 'a: []\nb: 1\n', ['a'], ['x'], 'a:\n  - x\nb: 1\n'],
    ['a list that becomes empty', 'a:\n  - x\nb: 1\n', ['a'], [], 'a: []\nb: 1\n'],
  ] as const)('changes only its own place: %s', (_name, before, path, value, after) => {
    expect(edited(before, [...path], value)).toBe(after);
  });

  it.runIf(EVERY_TEST)('leaves the shipped agents as they are written, wherever it stands', () => {
    for (const text of SHIPPED) {
      const { value } = readYaml(text);
      const comments = text.match(/^\s*#.*$/gm) ?? [];
      const paths = pathsIn(value).filter((_path, index) => index % 61 === 0);
      expect(paths.length).toBeGreaterThan(15);
      for (const path of paths) {
        const old = valueAt(value, path);
        const other = Array.isArray(old)
          ? [...old, 'one, more']
          : typeof old === 'string'
            ? `${old}, "more" # x`
            : undefined;
        const after = edited(text, path, other);
        expect({ path, value: readYaml(after).value }).toEqual({ path, value: withValue(value, path, other) });
        if (other === undefined) continue; // comments within what is gone go with it
        expect(after.match(/^\s*#.*$/gm) ?? []).toEqual(comments);
        expect(after.split('\n').length - text.split('\n').length).toBeLessThan(3);
      }
    }
  });

  it('is changed also where the text is too odd for a small change, and comments stay', () => {
    const text = '# odd\nbase: &b { x: 1 }\nother: *b\n';
    const after = edited(text, ['other', 'x'], 2);
    expect(readYaml(after).value).toEqual({ base: { x: 1 }, other: { x: 2 } });
    expect(after).toContain('# odd');
    expect(readYaml(edited('', ['name'], 'n')).value).toBeUndefined();
    expect(edited('a: [1,', ['a'], 2)).toBe('a: [1,');
  });

  it('is the only one that changes, also where others refer to its text', () => {
    expect(readYaml(edited('base: &b x\nother: *b\n', ['base'], 'y')).value).toEqual({ base: 'y', other: 'x' });
  });

  it('changes nothing where the value is the same', () => {
    expect(changeField(readYaml('a: "x"\n'), ['a'], 'x')).toBeUndefined();
  });
});

describe('a text', () => {
  it('that is no YAML has its problem with the line, and no value', () => {
    const { value, problems } = readYaml('name: x\nflows: [a, b\nvoice: emma\n');
    expect(value).toBeUndefined();
    expect(problems[0]!.line).toBeGreaterThanOrEqual(2);
    expect(problems[0]!.to).toBeLessThanOrEqual(40);
    expect(readYaml('- a\n').problems).toHaveLength(1);
  });

  it('that grows beyond measure by its aliases is a problem, and not the end of the page', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [name, of] of [...'bcdefgh'].map((name, at) => [name, 'abcdefg'[at]!] as const))
      bomb.push(`${name}: &${name} [${Array(9).fill(`*${of}`).join(', ')}]`);
    expect(readYaml(`${bomb.join('\n')}\n`).problems).toHaveLength(1);
  });

  it('knows where a field stands, and which field stands at a place', () => {
    const text = 'name: x\nflows:\n  - name: one\n    slots:\n      - { name: order, type: digits }\n';
    const parsed = readYaml(text);
    const place = placeOf(parsed, ['flows', 0, 'slots', 0, 'type']);
    expect(text.slice(place.from, place.to)).toBe('digits');
    expect(text.slice(placeOf(parsed, ['flows']).from, placeOf(parsed, ['flows']).to)).toBe('flows');
    expect(placeOf(parsed, ['flows', 0, 'slots', 0, 'prompts', 'en'])).toEqual(
      placeOf(parsed, ['flows', 0, 'slots', 0]),
    );
    expect(pathAt(parsed, text.indexOf('digits') + 2)).toEqual(['flows', 0, 'slots', 0, 'type']);
    expect(pathAt(parsed, text.indexOf('slots'))).toEqual(['flows', 0, 'slots']);
    const field = 'flows[0].slots[1].type';
    expect([pathOfField(field), fieldName(pathOfField(field))]).toEqual([['flows', 0, 'slots', 1, 'type'], field]);
    expect(pathOfField('')).toEqual([]);
  });

  it('of a definition says the same, with its keys in the order of the guide and a sentence a line', () => {
    const { value } = readYaml(SHIPPED[0]!);
    const shuffled = Object.fromEntries(Object.entries(value!).reverse());
    const text = writeDefinition(shuffled, AgentDefinitionSchema as unknown as Shape);
    expect(readYaml(text).value).toEqual(value);
    const keys = Object.keys(readYaml(text).value!).filter((key) => ORDER.includes(key));
    expect(keys).toEqual(ORDER.filter((key) => keys.includes(key)));
    expect(text).toMatch(/\n {6}en:\n {8}- track my order\n {8}- where is my order\n/);
    expect(text).toMatch(/\n {4}- \{ order: "4521", /);
    expect(Object.keys(valueAt(readYaml(text).value, ['flows', 3, 'slots', 1]) as object).slice(0, 2)).toEqual([
      'name',
      'type',
    ]);
  });
});

describe('values', () => {
  it('are the same whatever the order of their keys, and share what has not changed', () => {
    expect(isEqual({ a: [1, { b: 2 }], c: 3 }, { c: 3, a: [1, { b: 2 }] })).toBe(true);
    expect(isEqual({ a: undefined }, {})).toBe(false);
    expect(isEqual([1], { 0: 1 })).toBe(false);
    const before = { a: { x: 1 }, b: [{ y: 1 }, { z: 1 }] };
    const after = sharing(before, { a: { x: 1 }, b: [{ y: 2 }, { z: 1 }] });
    expect(after.a).toBe(before.a);
    expect(after.b[1]).toBe(before.b[1]);
    expect(after.b[0]).toEqual({ y: 2 });
  });
});
