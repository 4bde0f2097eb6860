import { type Document, isMap, isNode, isScalar, isSeq, type Pair, stringify, type YAMLMap, type YAMLSeq } from 'yaml';
import { isEqual, withValue } from './equal.ts';
import { contentEnd, endOfLine, type FieldPath, isTree, type ParsedText, readYaml } from './yaml-document.ts';

/** A stretch of a text and what takes its place. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

const STYLE = { lineWidth: 0, version: '1.2' } as const;
/** Thrown within this file where a text is written in a way that no small change fits. */
class TooOdd extends Error {}

/**
 * What has to change in a text so that a field has another value (`undefined`: is gone): as little of it as possible, so that
 * comments, order and the way things are written stay. Changes are in order and do not touch each other.
 *
 * @param order - the keys of the whole in their usual order: where a new one is put.
 * @returns the changes and the text with them; undefined where nothing changes, or the text cannot be read.
 */
export function changeField(
  parsed: ParsedText,
  path: FieldPath,
  value: unknown,
  order: readonly string[] = [],
): { readonly changes: readonly TextChange[]; readonly parsed: ParsedText } | undefined {
  if (!parsed.value) return undefined;
  const wanted = withValue(parsed.value, path, value) as Readonly<Record<string, unknown>>;
  if (isEqual(wanted, parsed.value)) return undefined;
  const small = smallChanges(parsed, wanted, order);
  const after = small && readYaml(applyChanges(parsed.text, small));
  if (small && after && isEqual(after.value, wanted)) return { changes: small, parsed: after };
  const text = rewritten(parsed, wanted);
  return { changes: [{ from: 0, to: parsed.text.length, insert: text }], parsed: readYaml(text) };
}

export function applyChanges(text: string, changes: readonly TextChange[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to, insert } of changes) {
    parts.push(text.slice(done, from), insert);
    done = to;
  }
  return [...parts, text.slice(done)].join('');
}

function smallChanges(
  { text, document }: ParsedText,
  wanted: Readonly<Record<string, unknown>>,
  order: readonly string[],
): readonly TextChange[] | undefined {
  if (!isMap(document.contents)) return undefined;
  const surgeon = new Surgeon(text, document, order);
  try {
    surgeon.map(document.contents, wanted, false);
  } catch (error) {
    if (error instanceof TooOdd) return undefined;
    throw error;
  }
  return surgeon.inOrder();
}

/** The last resort: the nodes are changed and all of it is written anew. Comments stay, the way of writing may not. */
function rewritten({ document }: ParsedText, wanted: Readonly<Record<string, unknown>>): string {
  const copy = document.clone() as Document;
  if (!isMap(copy.contents)) return stringify(wanted, STYLE);
  const known = copy.toJS() as Record<string, unknown>;
  copy.contents.items = copy.contents.items.filter(
    ({ key }) => isScalar(key) && Object.hasOwn(wanted, String(key.value)),
  );
  for (const [name, value] of Object.entries(wanted)) {
    if (!isEqual(known[name], value)) copy.set(name, copy.createNode(value));
  }
  try {
    return copy.toString(STYLE);
  } catch {
    // What others refer to is gone with the old value.
    return stringify(wanted, STYLE);
  }
}

/** Finds the changes, node by node. */
class Surgeon {
  readonly #changes: TextChange[] = [];
  constructor(
    readonly text: string,
    readonly document: Document,
    readonly order: readonly string[],
  ) {}

  /** In order; undefined where two of them touch the same letters. */
  inOrder(): readonly TextChange[] | undefined {
    const sorted = this.#changes
      .map((change, index) => ({ ...change, index }))
      .sort((one, other) => one.from - other.from || one.index - other.index);
    const merged: TextChange[] = [];
    for (const { from, to, insert } of sorted) {
      const last = merged.at(-1);
      if (last && from < last.to) return undefined;
      if (last && from === last.to && last.from === last.to) {
        merged[merged.length - 1] = { from: last.from, to, insert: last.insert + insert };
      } else merged.push({ from, to, insert });
    }
    return merged;
  }

  map(node: YAMLMap, wanted: Readonly<Record<string, unknown>>, inFlow: boolean): void {
    const flow = inFlow || node.flow === true;
    const pairs = node.items;
    const names = pairs.map((pair) => nameOf(pair));
    const known = new Set(names);
    const gone = names.flatMap((name, index) => (Object.hasOwn(wanted, name) ? [] : [index]));
    const added = Object.keys(wanted).filter((name) => !known.has(name));
    if (gone.length === pairs.length || (added.length > 0 && gone.at(-1) === pairs.length - 1)) throw new TooOdd();
    pairs.forEach((pair, index) => {
      const name = names[index]!;
      if (Object.hasOwn(wanted, name)) this.#value(pair, wanted[name], flow);
    });
    const starts = flow && gone.length > 0 ? pairs.map(startOf) : [];
    for (const index of gone) this.#removePair(node, index, flow, starts);
    for (const name of added) this.#addPair(node, name, wanted[name], flow);
  }

  /** A value takes the place of another. */
  #value(pair: Pair, wanted: unknown, flow: boolean): void {
    const { value } = pair;
    if (!isNode(value) || !value.range) throw new TooOdd();
    if (isEqual(value.toJS(this.document), wanted)) return;
    if (this.#within(value, wanted, flow)) return;
    if (isScalar(value) && isPlainLine(wanted) && !isBlockScalar(value.type)) {
      return this.#put(value.range[0], value.range[1], flow ? inFlowStyle(wanted) : inBlockLine(wanted));
    }
    const from = startOf(pair);
    const rendered = flow
      ? `${inFlowStyle(nameOf(pair))}: ${inFlowStyle(wanted)}`
      : indented(stringify({ [nameOf(pair)]: wanted }, STYLE), this.#column(from));
    this.#put(from, this.#trimmed(contentEnd(value)), rendered);
  }

  /** Whether a collection could be changed within; not where it becomes empty or another kind of thing. */
  #within(value: unknown, wanted: unknown, flow: boolean): boolean {
    const before = this.#changes.length;
    try {
      if (isMap(value) && isTree(wanted) && value.items.length > 0 && Object.keys(wanted).length > 0) {
        this.map(value, wanted, flow);
        return true;
      }
      if (isSeq(value) && Array.isArray(wanted) && value.items.length > 0 && wanted.length > 0) {
        this.#seq(value, wanted, flow || value.flow === true);
        return true;
      }
    } catch (error) {
      if (!(error instanceof TooOdd)) throw error;
      this.#changes.length = before;
    }
    return false;
  }

  /** Items before and after the change stay; of those between, as many as there are change their value. */
  #seq(node: YAMLSeq, wanted: readonly unknown[], flow: boolean): void {
    const items = node.items;
    const old = node.toJS(this.document) as unknown[];
    let head = 0;
    while (head < old.length && head < wanted.length && isEqual(old[head], wanted[head])) head += 1;
    let tail = 0;
    const most = Math.min(old.length, wanted.length) - head;
    while (tail < most && isEqual(old[old.length - 1 - tail], wanted[wanted.length - 1 - tail])) tail += 1;
    const oldEnd = old.length - tail;
    const wantedEnd = wanted.length - tail;
    const both = Math.min(oldEnd, wantedEnd);
    for (let index = head; index < both; index += 1) this.#item(items[index], wanted[index], flow);
    if (oldEnd > both) this.#removeItems(node, both, oldEnd, flow);
    else if (wantedEnd > both) this.#addItems(node, both, wanted.slice(both, wantedEnd), flow);
  }

  #item(item: unknown, wanted: unknown, flow: boolean): void {
    if (!isNode(item) || !item.range) throw new TooOdd();
    if (isEqual(item.toJS(this.document), wanted) || this.#within(item, wanted, flow)) return;
    if (flow || (isScalar(item) && isPlainLine(wanted) && !isBlockScalar(item.type))) {
      const rendered = flow ? inFlowStyle(wanted) : inBlockLine(wanted);
      return this.#put(item.range[0], item.range[1], rendered);
    }
    const dash = this.#dashOf(item.range[0]);
    this.#put(dash, this.#trimmed(contentEnd(item)), indented(stringify([wanted], STYLE), this.#column(dash)));
  }

  #addPair(node: YAMLMap, name: string, value: unknown, flow: boolean): void {
    const last = this.#pairBefore(node, name);
    if (flow) {
      const rendered = `${inFlowStyle(name)}: ${inFlowStyle(value)}`;
      const end = contentEnd(isNode(last.value) ? last.value : last.key);
      return this.#put(end, end, `, ${rendered}`);
    }
    const rendered = indented(stringify({ [name]: value }, STYLE), this.#column(startOf(node.items[0]!)));
    this.#addLines(last, `${' '.repeat(this.#column(startOf(node.items[0]!)))}${rendered}`);
  }

  /** After which pair a new key comes: the last one that comes before it in the usual order. */
  #pairBefore(node: YAMLMap, name: string): Pair {
    const at = this.order.indexOf(name);
    const isTop = node.range?.[0] !== undefined && this.#column(startOf(node.items[0]!)) === 0;
    if (!isTop || at < 0) return node.items.at(-1)!;
    const earlier = node.items.filter((pair) => {
      const other = this.order.indexOf(nameOf(pair));
      return other >= 0 && other < at;
    });
    return earlier.at(-1) ?? node.items.at(-1)!;
  }

  #addLines(after: Pair | unknown, lines: string): void {
    const node = isNode(after) ? after : ((after as Pair).value ?? (after as Pair).key);
    const end = contentEnd(node);
    if (this.text[end - 1] === '\n') return this.#put(end, end, `${lines}\n`);
    const line = endOfLine(this.text, end);
    this.#put(line, line, `\n${lines}`);
  }

  #addItems(node: YAMLSeq, at: number, wanted: readonly unknown[], flow: boolean): void {
    if (flow) {
      const rendered = wanted.map((one) => inFlowStyle(one)).join(', ');
      const start = (node.items[0] as { range?: [number, number, number] }).range?.[0];
      if (start === undefined) throw new TooOdd();
      if (at === 0) return this.#put(start, start, `${rendered}, `);
      const end = contentEnd(node.items[at - 1]);
      return this.#put(end, end, `, ${rendered}`);
    }
    const first = this.#dashOf((node.items[0] as { range?: [number, number, number] }).range?.[0] ?? -1);
    const column = this.#column(first);
    const lines = indented(stringify(wanted, STYLE), column);
    if (at === 0) this.#put(first, first, `${lines}\n${' '.repeat(column)}`);
    else this.#addLines(node.items[at - 1], `${' '.repeat(column)}${lines}`);
  }

  #removePair(node: YAMLMap, index: number, flow: boolean, starts: readonly number[]): void {
    const pair = node.items[index]!;
    const end = contentEnd(isNode(pair.value) ? pair.value : pair.key);
    if (flow) return this.#removeFlow(starts, index, index + 1, end, (at) => this.#pairEnd(node, at));
    const from = startOf(pair);
    const lineStart = from - this.#column(from);
    if (this.text.slice(lineStart, from).trim() === '') return this.#removeLines(lineStart, end);
    // The first pair of an item of a list: its dash stays, for the next one.
    const next = node.items[index + 1];
    if (!next) throw new TooOdd();
    this.#put(from, startOf(next), '');
  }

  #pairEnd(node: YAMLMap, index: number): number {
    const { key, value } = node.items[index]!;
    return contentEnd(isNode(value) ? value : key);
  }

  #removeItems(node: YAMLSeq, from: number, to: number, flow: boolean): void {
    const starts = node.items.map((item) => (item as { range?: [number, number, number] }).range?.[0] ?? -1);
    if (starts.includes(-1)) throw new TooOdd();
    const end = contentEnd(node.items[to - 1]);
    if (flow) return this.#removeFlow(starts, from, to, end, (at) => contentEnd(node.items[at]));
    const dash = this.#dashOf(starts[from]!);
    const lineStart = dash - this.#column(dash);
    if (this.text.slice(lineStart, dash).trim() === '') return this.#removeLines(lineStart, end);
    if (to >= starts.length) throw new TooOdd();
    this.#put(dash, this.#dashOf(starts[to]!), '');
  }

  /** With the comma before it, or after it where nothing is before it. */
  #removeFlow(
    starts: readonly number[],
    from: number,
    to: number,
    end: number,
    endOf: (index: number) => number,
  ): void {
    if (from > 0) this.#put(endOf(from - 1), end, '');
    else if (to < starts.length) this.#put(starts[0]!, starts[to]!, '');
    else throw new TooOdd();
  }

  #removeLines(from: number, end: number): void {
    const last = this.text[end - 1] === '\n' ? end : endOfLine(this.text, end) + 1;
    this.#put(from, Math.min(last, this.text.length), '');
  }

  #put(from: number, to: number, insert: string): void {
    this.#changes.push({ from, to, insert });
  }

  #column(offset: number): number {
    return offset - (this.text.lastIndexOf('\n', offset - 1) + 1);
  }

  #dashOf(itemStart: number): number {
    const before = this.text.slice(0, Math.max(0, itemStart));
    const dash = /-[ \t]*(?:&\S+\s+)?$/.exec(before.slice(-200));
    if (!dash) throw new TooOdd();
    return itemStart - dash[0].length;
  }

  /** Before the line break that ends a block scalar. */
  #trimmed(end: number): number {
    let at = end;
    while (at > 0 && this.text[at - 1] === '\n') at -= 1;
    return at;
  }
}

function nameOf({ key }: Pair): string {
  if (!isScalar(key)) throw new TooOdd();
  return String(key.value);
}

function startOf({ key }: Pair): number {
  if (!isScalar(key) || !key.range) throw new TooOdd();
  return key.range[0];
}

const isBlockScalar = (type: unknown): boolean => type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
/** What is written within a line. */
const isPlainLine = (value: unknown): boolean =>
  (typeof value === 'string' && !value.includes('\n')) || typeof value === 'number' || typeof value === 'boolean';

const inBlockLine = (value: unknown): string => stringify({ k: value }, STYLE).slice(2).trim();
/** Within brackets; JSON, which is YAML too, where that would take more than a line. */
function inFlowStyle(value: unknown): string {
  const line = stringify([value], { ...STYLE, collectionStyle: 'flow' })
    .trim()
    .slice(1, -1)
    .trim();
  return line.includes('\n') ? JSON.stringify(value) : line;
}

/** Lines of block style at a column; the first one begins where it is put. */
function indented(block: string, column: number): string {
  return block
    .replace(/\n$/, '')
    .split('\n')
    .map((line, index) => (index === 0 || line === '' ? line : ' '.repeat(column) + line))
    .join('\n');
}
