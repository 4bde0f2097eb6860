import type { TSchema } from '@sinclair/typebox';
import { isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { type Notice, notice, textOf } from '../core/notice.ts';
import { closest } from './problems.ts';

/** `node` is where it stands. */
export type Report = (node: Node | undefined, field: string, said: Notice) => void;

/** The part of JSON schema that the schemas here are made of. */
interface Shape {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly minProperties?: number;
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly TSchema[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  /** Ours: how the wanted value is named in messages, where the rest does not say it well; a text in files that operators alone write. */
  readonly expected?: string | Notice;
}

const SHOWN_MAX = 40;
/** Reported by a value that was wrong; never part of a result that is used. */
const WRONG = undefined;

/**
 * Reads a YAML tree by a TypeBox schema: fills in defaults, refuses unknown keys, and reports everything that is not as
 * the schema says as `expected X, got Y` at its place. Nothing is converted: `"5060"` is no number.
 */
export class SchemaReader {
  #section: Node | undefined; // where a missing key is reported
  readonly #report: Report;

  constructor(report: Report) {
    this.#report = report;
  }

  report(node: Node | undefined, field: string, said: Notice): void {
    this.#report(node ?? this.#section, field, said);
  }

  read(schema: TSchema, node: Node | undefined, field: string): unknown {
    const shape = schema as Shape;
    const isEmpty = node === undefined || (isScalar(node) && node.value === null);
    if (isEmpty && shape.default !== undefined) {
      return shape.type === 'object' ? this.#object(shape, undefined, field) : structuredClone(shape.default);
    }
    if (shape.anyOf) return this.#anyOf(shape, node, field);
    if (shape.type === 'object' && isMap(node)) return this.#within(shape, node, field);
    if (shape.type === 'array' && isSeq(node)) return this.#array(shape, node, field);
    if (isScalar(node) && fits(shape, node.value)) return node.value;
    return this.#wrong(shape, node, field);
  }

  #wrong(shape: Shape, node: Node | undefined, field: string): undefined {
    const isUnquoted = shape.type === 'string' && isScalar(node) && typeof node.value === 'number';
    const said = { wanted: wanted(shape), got: got(node) };
    this.report(node, field, notice(isUnquoted ? 'shape.unquoted' : 'shape.unfit', said));
    return WRONG;
  }

  #within(shape: Shape, node: YAMLMap, field: string): unknown {
    const outer = this.#section;
    this.#section = node;
    try {
      return this.#object(shape, node, field);
    } finally {
      this.#section = outer;
    }
  }

  #object(shape: Shape, node: YAMLMap | undefined, field: string): unknown {
    const written = new Map<string, { readonly key: Node; readonly value: Node | undefined }>();
    for (const pair of node?.items ?? []) {
      const key = pair.key as Scalar;
      written.set(String(key.value), { key, value: (pair.value ?? undefined) as Node | undefined });
    }
    if (shape.patternProperties) return this.#record(shape, node, written, field);
    const properties = shape.properties ?? {};
    for (const [name, { key }] of written) {
      if (Object.hasOwn(properties, name)) continue;
      const meant = closest(name, Object.keys(properties));
      const said = meant === undefined ? notice('shape.unknown-key') : notice('shape.unknown-key-meant', { meant });
      this.report(key, join(field, name), said);
    }
    const result: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(properties)) {
      const value = written.get(name)?.value;
      const isEmpty = value === undefined || (isScalar(value) && value.value === null);
      const isRequired = shape.required?.includes(name) ?? false;
      if (isEmpty && !isRequired && (schema as Shape).default === undefined) continue;
      const read = this.read(schema, isEmpty ? undefined : value, join(field, name));
      if (read !== WRONG) result[name] = read;
    }
    this.#enough(shape, node, Object.keys(result).length, field);
    return result;
  }

  #record(
    shape: Shape,
    node: YAMLMap | undefined,
    written: ReadonlyMap<string, { readonly key: Node; readonly value: Node | undefined }>,
    field: string,
  ): unknown {
    const [schema] = Object.values(shape.patternProperties ?? {});
    const entries = [...written].map(([name, { key, value }]) => {
      const read = this.read(schema!, value ?? key, join(field, name));
      return [name, read] as const;
    });
    this.#enough(shape, node, entries.length, field);
    return Object.fromEntries(entries);
  }

  #enough(shape: Shape, node: Node | undefined, keys: number, field: string): void {
    if (keys < (shape.minProperties ?? 0)) this.report(node, field, unfit(shape, notice('got.empty-section')));
  }

  #array(shape: Shape, node: YAMLSeq, field: string): unknown {
    const count = node.items.length;
    if (count < (shape.minItems ?? 0)) this.report(node, field, unfit(shape, notice('got.empty-list')));
    if (count > (shape.maxItems ?? Infinity)) this.report(node, field, unfit(shape, notice('got.entries', { count })));
    return node.items.map((item, index) => this.read(shape.items!, item as Node, `${field}[${index}]`));
  }

  /** The alternative that fits; for sections told apart by their `type`, the one that is named. */
  #anyOf(shape: Shape, node: Node | undefined, field: string): unknown {
    const alternatives = shape.anyOf!;
    for (const alternative of alternatives) {
      let isRight = true;
      const trial = new SchemaReader(() => {
        isRight = false;
      });
      const value = trial.read(alternative, node, field);
      if (isRight) return value;
    }
    if (!isMap(node)) {
      const same = alternatives.find((each) => (each as Shape).type === 'array' && isSeq(node));
      return same ? this.read(same, node, field) : this.#wrong(shape, node, field);
    }
    const sections = alternatives.filter((each) => (each as Shape).type === 'object');
    if (sections.length === 0) return this.#wrong(shape, node, field);
    if (sections.length === 1) return this.read(sections[0]!, node, field);
    const types = sections.map((each) => ((each as Shape).properties?.type as Shape | undefined)?.const);
    const chosen = sections[types.indexOf(node.get('type'))];
    if (chosen) return this.read(chosen, node, field);
    const type = node.get('type', true);
    const said = { wanted: notice('wanted.one-of', { values: types.join(', ') }), got: got(type) };
    this.report(type ?? node, join(field, 'type'), notice('shape.unfit', said));
    return WRONG;
  }
}

function fits(shape: Shape, value: unknown): boolean {
  if (shape.const !== undefined) return value === shape.const;
  if (shape.type === 'boolean') return typeof value === 'boolean';
  if (shape.type === 'string') {
    if (typeof value !== 'string' || value.length > (shape.maxLength ?? Infinity)) return false;
    if (value.trim().length < (shape.minLength ?? 0)) return false;
    return shape.pattern === undefined || new RegExp(shape.pattern, 'u').test(value);
  }
  if (shape.type !== 'number' && shape.type !== 'integer') return false;
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (shape.type === 'integer' && !Number.isInteger(value)) return false;
  return value >= (shape.minimum ?? -Infinity) && value <= (shape.maximum ?? Infinity);
}

const unfit = (shape: Shape, instead: Notice): Notice => notice('shape.unfit', { wanted: wanted(shape), got: instead });

/** What a schema wants, in English. */
export const expected = (schema: TSchema): string => textOf(wanted(schema));

/** What a schema wants; a plain value stands for itself. */
function wanted(schema: TSchema | Shape): string | Notice {
  const shape = schema as Shape;
  if (shape.expected) return shape.expected;
  if (shape.const !== undefined) return String(shape.const);
  if (shape.anyOf) return eitherOf(shape.anyOf as readonly Shape[]);
  const { minimum, maximum, minItems: min, maxItems: max } = shape;
  const range = `${minimum ?? ''}..${maximum ?? ''}`;
  switch (shape.type) {
    case 'integer':
      return range === '..' ? notice('wanted.integer') : notice('wanted.integer-range', { range });
    case 'number':
      return range === '..' ? notice('wanted.number') : notice('wanted.number-range', { range });
    case 'boolean':
      return notice('wanted.boolean');
    case 'array':
      if (min && max) return notice('wanted.list-between', { min, max });
      if (min) return notice('wanted.list-least', { min });
      return max ? notice('wanted.list-most', { max }) : notice('wanted.list');
    case 'object': {
      const keys = Object.keys(shape.properties ?? {});
      const isShort = keys.length > 0 && keys.length <= 6;
      return isShort ? notice('wanted.section-with', { keys: keys.join(', ') }) : notice('wanted.section');
    }
    default:
      return notice(shape.minLength ? 'wanted.text-not-empty' : 'wanted.text');
  }
}

function eitherOf(alternatives: readonly Shape[]): string | Notice {
  const constants = alternatives
    .filter(({ const: value }) => value !== undefined)
    .map(({ const: value }) => String(value));
  const others = alternatives.filter(({ const: value }) => value === undefined).map(wanted);
  const choice = constants.length > 1 ? [notice('wanted.one-of', { values: constants.join(', ') })] : constants;
  return [...others, ...choice].reduceRight((other, one) => notice('wanted.either', { one, other }));
}

function got(node: unknown): string | Notice {
  if (isMap(node)) return notice('got.section');
  if (isSeq(node)) return notice('got.list');
  if (!isScalar(node)) return notice(node === undefined ? 'got.nothing' : 'got.alias');
  if (node.value === null) return notice('got.nothing');
  const text = JSON.stringify(node.value) ?? String(node.value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text;
}

function join(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}
