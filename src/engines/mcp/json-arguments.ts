import { digitRuns } from '../../language/number-words.ts';
import { wordsOf } from '../../language/words.ts';
import { objectOf } from './mcp-messages.ts';

type Fields = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 8;
const LIST_MAX = 100;
const TEXT_CHARS = 2_000;
/** Said digit by digit, shorter runs are words like any other. */
const SPOKEN_DIGITS_MIN = 3;

export type ReadJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

/**
 * Holds what a model gave to a JSON Schema, as far as servers use one for arguments: types, required and unknown names, enums, bounds,
 * lists. Keywords that are not known are the server's to hold. Where a stand-in was filled in, numbers stand as they were
 * said: they become digits. Never throws; no reason repeats a value.
 */
export function readJson(schema: Fields, value: unknown, at = 'it', depth = 0): ReadJson {
  if (depth > DEPTH_MAX) return { ok: false, why: `${at} is too deep` };
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) {
    const fitting = alternatives.map((one) => readJson(objectOf(one) ?? {}, value, at, depth + 1));
    return fitting.find(({ ok }) => ok) ?? { ok: false, why: `${at} is none of what is taken there` };
  }
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value)) {
    return { ok: false, why: `${at} is none of ${schema['enum'].slice(0, 20).map(String).join(', ')}` };
  }
  if ('const' in schema && schema['const'] !== value) return { ok: false, why: `${at} is not as it has to be` };
  const types = typesOf(schema);
  if (types.length === 0) return { ok: true, value };
  let why = `${at} is no ${types.join(' or ')}`;
  for (const type of types) {
    const read = readAs(type, schema, value, at, depth);
    if (read?.ok) return read;
    if (read) why = read.why;
  }
  return { ok: false, why };
}

export function typesOf(schema: Fields): readonly string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((one) => typeof one === 'string') : [];
}

/** Undefined where the value is of another type. */
function readAs(type: string, schema: Fields, value: unknown, at: string, depth: number): ReadJson | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? readText(schema, value, at) : undefined;
    case 'integer':
    case 'number':
      return readNumber(schema, value, at, type === 'integer');
    case 'boolean':
      return typeof value === 'boolean' ? { ok: true, value } : undefined;
    case 'null':
      return value === null ? { ok: true, value } : undefined;
    case 'array':
      return Array.isArray(value) ? readList(schema, value, at, depth) : undefined;
    case 'object':
      return objectOf(value) ? readObject(schema, value as Fields, at, depth) : undefined;
    default:
      return undefined;
  }
}

function readText(schema: Fields, given: string, at: string): ReadJson {
  const value = spokenDigits(given) ?? given;
  const { minLength, maxLength } = schema;
  const longest = typeof maxLength === 'number' ? Math.min(maxLength, TEXT_CHARS) : TEXT_CHARS;
  if (value.length > longest) return { ok: false, why: `${at} is longer than ${longest} letters` };
  if (typeof minLength === 'number' && value.length < minLength) {
    return { ok: false, why: `${at} is shorter than ${minLength} letters` };
  }
  return { ok: true, value };
}

function readNumber(schema: Fields, given: unknown, at: string, isWhole: boolean): ReadJson | undefined {
  const text = typeof given === 'string' ? (spokenDigits(given) ?? given.trim()) : undefined;
  const value = text !== undefined && /^-?\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : given;
  if (typeof value !== 'number' || !Number.isFinite(value) || (isWhole && !Number.isInteger(value))) return undefined;
  const { minimum, maximum } = schema;
  if (typeof minimum === 'number' && value < minimum) return { ok: false, why: `${at} is less than ${minimum}` };
  if (typeof maximum === 'number' && value > maximum) return { ok: false, why: `${at} is more than ${maximum}` };
  return { ok: true, value };
}

function readList(schema: Fields, value: readonly unknown[], at: string, depth: number): ReadJson {
  const { minItems, maxItems } = schema;
  const most = typeof maxItems === 'number' ? Math.min(maxItems, LIST_MAX) : LIST_MAX;
  if (value.length > most) return { ok: false, why: `${at} has more than ${most} entries` };
  if (typeof minItems === 'number' && value.length < minItems) {
    return { ok: false, why: `${at} has fewer than ${minItems} entries` };
  }
  const read = value.map((item, i) => readJson(objectOf(schema['items']) ?? {}, item, `${at}[${i}]`, depth + 1));
  const wrong = read.find((one) => !one.ok);
  return wrong ?? { ok: true, value: read.map((one) => (one.ok ? one.value : undefined)) };
}

function readObject(schema: Fields, value: Fields, at: string, depth: number): ReadJson {
  const properties = objectOf(schema['properties']) ?? {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const inside = (name: string): string => (depth === 0 ? name : `${at}.${name}`);
  const missing = required.find((name) => value[name] === undefined);
  if (missing !== undefined) return { ok: false, why: `${inside(missing)} is missing: ask the caller for it` };
  const isOpen = schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false;
  const out: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? objectOf(properties[name]) : undefined;
    if (!own && !isOpen) {
      const known = Object.keys(properties).slice(0, 30).join(', ');
      return { ok: false, why: `${at} takes ${known || 'no values'} and nothing else` };
    }
    const read = own ? readJson(own, one, inside(name), depth + 1) : ({ ok: true, value: one } as const);
    if (!read.ok) return read;
    out[name] = read.value;
  }
  return { ok: true, value: out };
}

/** `four five two one` as `4521`; undefined for what is anything else. */
function spokenDigits(text: string): string | undefined {
  const words = wordsOf(text).map((word) => word.text);
  const [run, ...others] = digitRuns(words);
  const isAll = run !== undefined && others.length === 0 && run.start === 0 && run.end === words.length;
  return isAll && words.length > 1 && run.digits.length >= SPOKEN_DIGITS_MIN ? run.digits : undefined;
}
