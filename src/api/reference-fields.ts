import { prose, table, text } from './reference-html.ts';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
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
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined ? schema : schemas[name];
}

/** The fields of a shape as a table, those of inner shapes by their path: `findings[].kind`. */
export function fieldTable(schema: JsonSchema | undefined, schemas: Schemas): string {
  const whole = resolved(schema, schemas);
  if (!whole?.properties) return `<p>${prose(whole?.description ?? 'Bytes.')}</p>`;
  return table(['Field', 'Type', ''], fieldRows(whole, schemas, '', 0));
}

function fieldRows(shape: JsonSchema, schemas: Schemas, prefix: string, depth: number): string[][] {
  if (depth >= DEPTH_MAX) return [];
  return Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name;
    const whole = resolved(field, schemas);
    const inner = resolved(whole?.items ?? whole, schemas);
    const innerRows = inner?.properties
      ? fieldRows(inner, schemas, `${path}${whole?.items ? '[]' : ''}.`, depth + 1)
      : [];
    const isRequired = shape.required?.includes(name) ?? false;
    return [
      fieldRow(path, typeName(field, schemas), isRequired, whole?.description ?? field.description),
      ...innerRows,
    ];
  });
}

export function fieldRow(name: string, type: string, isRequired: boolean, description = ''): string[] {
  const need = isRequired ? ' <span class="need">required</span>' : '';
  return [`<code>${text(name)}</code>${need}`, text(type), prose(description)];
}

export function typeName(schema: JsonSchema | undefined, schemas: Schemas): string {
  const whole = resolved(schema, schemas);
  if (!whole) return '';
  if (whole.const !== undefined) return `"${whole.const}"`;
  if (whole.enum) return whole.enum.join(' | ');
  if (whole.anyOf) return whole.anyOf.map((one) => typeName(one, schemas)).join(' or ');
  if (whole.items) return `array of ${typeName(whole.items, schemas)}`;
  if (whole.patternProperties) {
    const values = Object.values(whole.patternProperties).map((one) => typeName(one, schemas));
    return `map of ${values.join(', ')}`;
  }
  const { minimum, maximum, type = 'any' } = whole;
  const range = minimum === undefined || maximum === undefined ? '' : ` ${minimum}..${maximum}`;
  return `${[type].flat().join(' or ')}${range}`;
}
