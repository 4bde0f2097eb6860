import { readFileSync } from 'node:fs';
import type { Static, TSchema } from '@sinclair/typebox';
import { type Document, isNode, LineCounter, type Node, parseDocument } from 'yaml';
import { errorText } from '../core/errors.ts';
import type { Notice } from '../core/notice.ts';
import { REPEATED_KEY, repeatedKeys, yamlNotice } from './agent-text/yaml-document.ts';
import type { Problems } from './problems.ts';
import { SchemaReader } from './schema-reader.ts';

export type YamlPath = readonly (string | number)[];
/** Where problems of a file go. */
export type ProblemList = Pick<Problems, 'add' | 'count'>;

/** A configuration file: its text, and where in it each field stands. */
export class YamlFile {
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;
  readonly #isYaml: boolean;

  /** Reads and parses; what is wrong goes to `problems`, and nothing throws. Aliases are not taken: they hide where a value stands. */
  constructor(
    readonly path: string,
    readonly problems: ProblemList,
    readonly text: string = readText(path, problems),
  ) {
    this.#document = parseDocument(withoutCommentLines(text), {
      lineCounter: this.#lines,
      prettyErrors: false,
      version: '1.2',
      strict: true,
      uniqueKeys: false, // looked for below
    });
    for (const error of [...this.#document.errors, ...this.#document.warnings]) {
      const said = yamlNotice(error.code, error.message);
      problems.add(path, this.#lines.linePos(error.pos[0]).line, '', said);
    }
    const repeated = repeatedKeys(this.#document);
    for (const { from } of repeated)
      problems.add(path, this.#lines.linePos(from).line, '', yamlNotice('DUPLICATE_KEY', REPEATED_KEY));
    this.#isYaml = this.#document.errors.length === 0 && repeated.length === 0;
  }

  /** The content by `schema`, defaults filled in; undefined when it had a problem, all of which are then listed. */
  read<T extends TSchema>(schema: T): Static<T> | undefined {
    const before = this.problems.count;
    if (!this.#isYaml) return undefined;
    const reader = new SchemaReader((node, field, said) =>
      this.problems.add(this.path, this.#lineOf(node), field, said),
    );
    const value = reader.read(schema, this.#document.contents ?? undefined, '');
    return this.problems.count === before ? (value as Static<T>) : undefined;
  }

  /** A problem with the meaning of a field that was read: placed at the field, or at the nearest parent that is written. */
  problem(path: YamlPath, said: string | Notice): void {
    this.problems.add(this.path, this.lineOf(path), fieldName(path), said);
  }

  /** The line where a field stands, or the nearest parent of it that is written. */
  lineOf(path: YamlPath): number {
    for (let at = path; at.length > 0; at = at.slice(0, -1)) {
      const node = this.#document.getIn(at, true);
      if (isNode(node)) return this.#lineOf(node);
    }
    return 1;
  }

  #lineOf(node: Node | undefined): number {
    return this.#lines.linePos(node?.range?.[0] ?? 0).line || 1;
  }
}

const COMMENT_LINE = /^[ \t]*#.*$/gm;
/** The head of a text that goes on in further lines as it stands: there a line with a `#` is no comment. */
const BLOCK_HEAD = /[|>][-+\d]*[ \t]*(?:#.*)?$/m;

/**
 * The same lines without those that are comments, which a reader of values needs not and which take four times as long to parse as the rest
 * of a configuration. A text in which something in quotes or a block might go over lines is left as it is.
 */
export function withoutCommentLines(text: string): string {
  const bare = text.replace(COMMENT_LINE, '');
  if (BLOCK_HEAD.test(bare)) return text;
  const opens = (line: string): boolean => line.split('"').length % 2 === 0 || line.split("'").length % 2 === 0;
  return bare.split('\n').some(opens) ? text : bare;
}

/** `['flows', 0, 'name']` -> `flows[0].name` */
export function fieldName(path: YamlPath): string {
  return path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name === '' ? part : `${name}.${part}`),
    '',
  );
}

/** A file's text; one that cannot be read is a problem, and empty. */
export function readText(path: string, problems: ProblemList): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    problems.add(path, 0, '', `cannot be read: ${errorText(error)}`);
    return '';
  }
}
