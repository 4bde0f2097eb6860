import { LINE, type LinesBuilder } from '../document-lines.ts';
import { isQuestionLine } from './line-shapes.ts';
import { EXTRACT_LIMITS, invalid } from './unreadable.ts';

/** Keys whose value names the record, best first. */
const NAMING_KEYS =
  /^(?:q|question|questions|name|title|heading|topic|subject|label|key|id|product|service|item|السؤال|سؤال|الاسم|اسم|العنوان|عنوان|الموضوع|المنتج|الخدمة)$/i;
const MAX_RECORD_LEAVES = 64;
const MAX_WORD = 64; // of a number or literal

interface Leaf {
  readonly key: string;
  readonly value: string; // decoded
  readonly raw: string; // as it stands in the file, key included
}

/**
 * JSON (or one JSON value a line): each value that is no object or array is a line, written with its key as in the
 * file. Keys of objects stand above their values; a record's question or name stands above its other values.
 * Checked by hand rather than by `JSON.parse`, which would build the whole tree of a hostile file first.
 */
export function readJson(text: string, out: LinesBuilder): void {
  const scanner = new JsonScanner(text, out);
  scanner.run();
}

interface Frame {
  readonly array: boolean;
  readonly key: string;
  leaves: Leaf[]; // of a record, until its name is known
  labelled: boolean;
  /** What may come next. */
  expect: 'first' | 'value' | 'comma';
}

class JsonScanner {
  #at = 0;
  readonly #frames: Frame[] = [];
  constructor(
    readonly text: string,
    readonly out: LinesBuilder,
  ) {}

  run(): void {
    let values = 0;
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.text.length) break;
      if (this.#frames.length === 0) {
        if (values > 0 && this.text[this.#at] === ',') throw invalid('JSON: a comma outside');
        values += 1;
        this.#value('', this.#at);
      } else this.#step(this.#frames.at(-1)!);
    }
    if (this.#frames.length > 0 || values === 0) throw invalid('JSON: ends too early');
  }

  #step(frame: Frame): void {
    const char = this.text[this.#at]!;
    if (char === (frame.array ? ']' : '}')) {
      if (frame.expect === 'value') throw invalid('JSON: a comma too many');
      this.#at += 1;
      this.#close(frame);
      return;
    }
    if (frame.expect === 'comma') {
      if (char !== ',') throw invalid('JSON: a comma is missing');
      this.#at += 1;
      frame.expect = 'value';
      return;
    }
    const start = this.#at;
    let key = '';
    if (!frame.array) {
      key = this.#string();
      this.#skipSpace();
      if (this.text[this.#at] !== ':') throw invalid('JSON: a colon is missing');
      this.#at += 1;
      this.#skipSpace();
    }
    frame.expect = 'comma';
    this.#value(key, start);
  }

  #value(key: string, start: number): void {
    const char = this.text[this.#at];
    if (char === '{' || char === '[') return this.#open(char === '[', key);
    const value = char === '"' ? this.#string() : this.#word();
    const slice = this.text.slice(start, this.#at);
    const raw = slice.includes('\\') ? (key === '' ? value : `"${key}": "${value}"`) : slice;
    const leaf = { key, value, raw: raw.replace(/\s+/g, ' ') };
    const frame = this.#frames.at(-1);
    if (frame && !frame.array && frame.leaves.length < MAX_RECORD_LEAVES) frame.leaves.push(leaf);
    else this.#line(leaf);
  }

  #open(array: boolean, key: string): void {
    if (this.#frames.length >= EXTRACT_LIMITS.nesting) throw invalid('JSON: nested too deep');
    const above = this.#frames.at(-1);
    if (above) this.#emitLeaves(above);
    const labelled = key !== '';
    if (labelled) this.out.add(key, { flags: LINE.label, level: this.#frames.length + 1 });
    this.#frames.push({ array, key, leaves: [], labelled, expect: 'first' });
    this.#at += 1;
  }

  #close(frame: Frame): void {
    this.#emitLeaves(frame);
    this.#frames.pop();
    this.out.leave(this.#frames.length + 1);
  }

  /** The values of a record: what names it first. */
  #emitLeaves(frame: Frame): void {
    const { leaves } = frame;
    frame.leaves = [];
    if (leaves.length === 0) return;
    const name = leaves.find((leaf) => isQuestionLine(leaf.value)) ?? leaves.find((leaf) => NAMING_KEYS.test(leaf.key));
    if (name && leaves.length > 1) {
      const asks = isQuestionLine(name.value) || /^(?:q|question|السؤال|سؤال)$/i.test(name.key);
      this.out.add(name.raw, { flags: asks ? LINE.question : LINE.label, level: this.#frames.length + 1 });
    }
    for (const leaf of leaves) if (leaf !== name || leaves.length === 1) this.#line(leaf);
  }

  #line(leaf: Leaf): void {
    if (leaf.value.trim() === '' || leaf.value === 'null') return;
    this.out.add(leaf.raw, { flags: LINE.item });
  }

  /** A string at the current place, decoded. */
  #string(): string {
    if (this.text[this.#at] !== '"') throw invalid('JSON: a string is missing');
    const start = this.#at + 1;
    let end = start;
    let escaped = false;
    for (; end < this.text.length; end += 1) {
      const code = this.text.charCodeAt(end);
      if (code === 0x22) break;
      if (code === 0x5c) {
        escaped = true;
        end += 1;
      }
    }
    if (end >= this.text.length) throw invalid('JSON: a string does not end');
    this.#at = end + 1;
    const raw = this.text.slice(start, end);
    return escaped ? unescaped(raw) : raw;
  }

  #word(): string {
    const word = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/.exec(
      this.text.slice(this.#at, this.#at + MAX_WORD),
    )?.[0];
    if (word === undefined) throw invalid('JSON: no value');
    this.#at += word.length;
    return word;
  }

  #skipSpace(): void {
    while (this.#at < this.text.length && this.text.charCodeAt(this.#at) <= 0x20) this.#at += 1;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: ' ', t: ' ', b: ' ', f: ' ' };

function unescaped(raw: string): string {
  return raw.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, hex: string | undefined, char: string | undefined) =>
    hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : (ESCAPES[char!] ?? char!),
  );
}
