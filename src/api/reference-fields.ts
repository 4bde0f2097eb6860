import { name, prose, table, text } from './reference-html.ts';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
}
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** Shapes within shapes are written out this deep; deeper ones do not occur. */
const DEPTH_MAX = 3;

export function resolved(schema: JsonSchema | undefined, schemas: Schemas): JsonSchema | undefined {
  const id = schema?.$ref?.split('/').at(-1);
  return id === undefined ? schema : schemas[id];
}

/** Whether a shape is sent, where it matters what must be there, or read, where it matters what may be missing. */
export type Direction = 'sent' | 'read';

/** The fields of a shape as a table, those of inner shapes by their path: `findings[].kind`. */
export function fieldTable(schema: JsonSchema | undefined, schemas: Schemas, direction: Direction): string {
  const whole = resolved(schema, schemas);
  if (!whole?.properties) return `<p>${prose(whole?.description ?? 'Bytes.')}</p>`;
  return table(['Field', 'Type', 'Meaning'], fieldRows(whole, { schemas, direction, prefix: '', depth: 0 }));
}

interface Place {
  readonly schemas: Schemas;
  readonly direction: Direction;
  readonly prefix: string;
  readonly depth: number;
}

function fieldRows(shape: JsonSchema, place: Place): string[][] {
  const { schemas, direction, prefix, depth } = place;
  if (depth >= DEPTH_MAX) return [];
  return Object.entries(shape.properties ?? {}).flatMap(([key, field]) => {
    const path = prefix + key;
    const whole = resolved(field, schemas);
    const inner = resolved(whole?.items ?? whole, schemas);
    const below = { ...place, prefix: `${path}${whole?.items ? '[]' : ''}.`, depth: depth + 1 };
    const isRequired = shape.required?.includes(key) ?? false;
    return [
      fieldRow(path, typeName(field, schemas), noteOf(isRequired, direction), whole?.description ?? field.description),
      ...(inner?.properties ? fieldRows(inner, below) : []),
    ];
  });
}

const noteOf = (isRequired: boolean, direction: Direction): string => {
  if (direction === 'sent') return isRequired ? 'required' : '';
  return isRequired ? '' : 'optional';
};

/** `note` is a word beside the name. */
export function fieldRow(path: string, type: string, note: string, description = ''): string[] {
  const beside = note === '' ? '' : ` <span class="need">${text(note)}</span>`;
  return [`${name(path)}${beside}`, text(type), prose(description)];
}

export function typeName(schema: JsonSchema | undefined, schemas: Schemas): string {
  const whole = resolved(schema, schemas);
  if (!whole) return '';
  if (whole.const !== undefined) return `"${whole.const}"`;
  if (whole.enum) return whole.enum.join(' | ');
  if (whole.anyOf) return whole.anyOf.map((one) => typeName(one, schemas)).join(' or ');
  if (whole.items) return `array of ${typeName(whole.items, schemas)}`;
  if (typeof whole.additionalProperties === 'object') return `map of ${typeName(whole.additionalProperties, schemas)}`;
  if (whole.contentMediaType !== undefined) return 'bytes';
  if (whole.contentEncoding !== undefined) return `string, ${whole.contentEncoding}`;
  const { minimum, maximum, type = 'any' } = whole;
  const range = minimum === undefined || maximum === undefined ? '' : ` ${minimum}..${maximum}`;
  return `${[type].flat().join(' or ')}${range}`;
}
