import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import type { Notice } from '../../core/notice.ts';

/** Where a field stands in a definition: `['flows', 0, 'slots', 1, 'type']`. */
export type FieldPath = readonly (string | number)[];

/** A stretch of the text, in characters from 0; `to` is not part of it. */
export interface Place {
  readonly from: number;
  readonly to: number;
}
export interface TextProblem extends Place {
  readonly message: string;
  /** The same as data. */
  readonly notice: Notice;
  /** From 1. */
  readonly line: number;
}

/** A text as YAML 1.2. With problems it has no value. */
export interface ParsedText {
  readonly text: string;
  readonly document: Document.Parsed;
  readonly value: Readonly<Record<string, unknown>> | undefined;
  readonly problems: readonly TextProblem[];
}

/** What the reader of YAML objects to, as data. @param code - its own, such as `BAD_INDENT`; each has a sentence in `core/notices/`. */
export const yamlNotice = (code: string, error: string): Notice => ({
  ...{ code: `yaml.${code.toLowerCase().replaceAll('_', '-')}`, params: { error } },
});

const NO_KEYS = 'expected keys and values, like "name: Corner Bakery"';

/** Of a text that has more, the first are told. */
const REPEATED_MAX = 100;
export const REPEATED_KEY = 'Map keys must be unique';

/**
 * Keys that stand in their map a second time. The library (`uniqueKeys`) compares every key with every other: a minute for a map of 60,000,
 * and what is read here may be what somebody sends.
 */
export function repeatedKeys(document: Document): readonly Place[] {
  const places: Place[] = [];
  visit(document, {
    Map: (_key, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value) && key.range && places.length < REPEATED_MAX)
          places.push({ from: key.range[0], to: key.range[1] });
        seen.add(key.value);
      }
    },
  });
  return places;
}

/** Reads a text. Never throws: what is wrong is a problem with its place. */
export function readYaml(text: string): ParsedText {
  const lineCounter = new LineCounter();
  const options = { lineCounter, prettyErrors: false, version: '1.2', strict: true, uniqueKeys: false } as const;
  const document = parseDocument(text, options);
  const problem = (from: number, to: number, code: string, message: string): TextProblem => {
    const start = Math.max(0, Math.min(from, text.length));
    const end = Math.max(start, Math.min(to, text.length));
    const notice = yamlNotice(code, message);
    return { from: start, to: end, message, notice, line: lineCounter.linePos(start).line || 1 };
  };
  const problems = [
    ...document.errors.map(({ pos, code, message }) => problem(pos[0], pos[1], code, message)),
    ...repeatedKeys(document).map(({ from, to }) => problem(from, to, 'DUPLICATE_KEY', REPEATED_KEY)),
  ];
  if (problems.length > 0) return { text, document, value: undefined, problems };
  try {
    const value: unknown = document.toJS();
    if (isTree(value)) return { text, document, value, problems };
  } catch (error) {
    return { text, document, value: undefined, problems: [problem(0, 0, 'IMPOSSIBLE', (error as Error).message)] };
  }
  return { text, document, value: undefined, problems: [problem(0, text.length, 'NO_KEYS', NO_KEYS)] };
}

export const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where a field is written, or the nearest parent of it that is: a key for what has fields of its own, the value of others. */
export function placeOf({ document, text }: ParsedText, path: FieldPath): Place {
  for (let at = path; at.length > 0; at = at.slice(0, -1)) {
    const node: unknown = document.getIn(at, true);
    if (!isNode(node) || !node.range) continue;
    const isWhole = isScalar(node) && at.length === path.length;
    return isWhole
      ? { from: node.range[0], to: node.range[1] }
      : (keyPlace(document, at) ?? { from: node.range[0], to: endOfLine(text, node.range[0]) });
  }
  return { from: 0, to: endOfLine(text, 0) };
}

/** The key of a pair; undefined for a place of a list. */
function keyPlace(document: Document, path: FieldPath): Place | undefined {
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return undefined;
  const key = parent.items.find((pair) => isScalar(pair.key) && pair.key.value === path.at(-1))?.key;
  return isNode(key) && key.range ? { from: key.range[0], to: key.range[1] } : undefined;
}

/** The field whose key or value holds a place of the text; `[]` between fields, and where the text cannot be read. */
export function pathAt({ document, value }: ParsedText, offset: number): FieldPath {
  if (!value) return [];
  const path: (string | number)[] = [];
  let node: unknown = document.contents;
  for (;;) {
    const inner: { readonly step: string | number; readonly node: unknown } | undefined = isMap(node)
      ? pairAt(node.items, offset)
      : isSeq(node)
        ? itemAt(node.items, offset)
        : undefined;
    if (!inner) return path;
    path.push(inner.step);
    node = inner.node;
  }
}

function pairAt(pairs: readonly unknown[], offset: number) {
  for (const pair of pairs) {
    if (!isPair(pair) || !isScalar(pair.key)) continue;
    const from = pair.key.range?.[0] ?? 0;
    const to = isNode(pair.value) ? (pair.value.range?.[1] ?? 0) : (pair.key.range?.[1] ?? 0);
    if (offset >= from && offset <= to) return { step: String(pair.key.value), node: pair.value };
  }
  return undefined;
}

function itemAt(items: readonly unknown[], offset: number) {
  const index = items.findIndex((item) => {
    const range = isNode(item) ? item.range : undefined;
    return range && offset >= range[0] && offset <= range[1];
  });
  return index < 0 ? undefined : { step: index, node: items[index] };
}

/** `flows[0].slots[1].type` as a path; the way the gateway names fields. */
export function pathOfField(field: string): FieldPath {
  return [...field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
}

/** The other way. */
export function fieldName(path: FieldPath): string {
  return path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[${step}]` : name === '' ? step : `${name}.${step}`),
    '',
  );
}

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return typeof step === 'number' ? at[step] : undefined;
    return isTree(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }, value);
}

export const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

/** The end of what a node says, without comments and empty lines after it. */
export function contentEnd(node: unknown): number {
  if (isMap(node) && !node.flow && node.items.length > 0) {
    const { key, value } = node.items.at(-1)!;
    return isNode(value) && value.range ? contentEnd(value) : ((key as Node).range?.[1] ?? 0) + 1;
  }
  if (isSeq(node) && !node.flow && node.items.length > 0) return contentEnd(node.items.at(-1));
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}
