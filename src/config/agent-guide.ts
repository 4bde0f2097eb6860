import type { TSchema } from '@sinclair/typebox';
import { Document, visit } from 'yaml';
import { AgentFileSchema } from './agent-schema.ts';
import { AgentTestsSchema } from './agent-tests-schema.ts';

/** The part of JSON schema that agent files are described with. */
interface Shape {
  readonly type?: string;
  readonly form?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

const KEYS_BEGIN = '<!-- keys: written by `npm run agents:guide` from the schema -->';
const KEYS_END = '<!-- end of the keys -->';

/** The guide with its tables of keys as the schema has them now; what was written by hand around them stays. */
export function withKeys(guide: string): string {
  const begin = guide.indexOf(KEYS_BEGIN);
  const end = guide.indexOf(KEYS_END);
  if (begin < 0 || end < begin) throw new Error(`the guide lacks its marks: ${KEYS_BEGIN} and ${KEYS_END}`);
  return `${guide.slice(0, begin + KEYS_BEGIN.length)}\n\n${keyTables()}\n${guide.slice(end)}`;
}

/** A schema file for editors: completion, and unknown keys underlined (JSON Schema draft 7). */
export const agentJsonSchema = (): string => editorSchema('Nidaa agent', AgentFileSchema);
/** The same for the tests of an agent. */
export const agentTestsJsonSchema = (): string => editorSchema('Tests of a Nidaa agent', AgentTestsSchema);

function editorSchema(title: string, of: TSchema): string {
  const schema = closed(JSON.parse(JSON.stringify(of)));
  return `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', title, ...schema }, null, 2)}\n`;
}

/** Without what only we read (`expected`, `form`), and with nothing allowed that is not named. */
function closed(node: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(node).filter(([name]) => name !== 'expected' && name !== 'form');
  const out: Record<string, unknown> = Object.fromEntries(entries);
  for (const [name, value] of entries) {
    if (name === 'patternProperties') {
      const rows = Object.entries(value as Record<string, Record<string, unknown>>);
      out[name] = Object.fromEntries(rows.map(([pattern, schema]) => [pattern, closed(schema)]));
    } else if (name === 'properties') {
      const properties = Object.entries(value as Record<string, Record<string, unknown>>);
      out[name] = Object.fromEntries(properties.map(([property, schema]) => [property, closed(schema)]));
      out['additionalProperties'] = false;
    } else if (name === 'anyOf') out[name] = (value as Record<string, unknown>[]).map(closed);
    else if (name === 'items') out[name] = closed(value as Record<string, unknown>);
  }
  return out;
}

/** Every key of an agent file, a table for each place that keys stand in. */
function keyTables(): string {
  const sections = new Map<string, string>();
  addSection(sections, 'The file', AgentFileSchema);
  return [...sections].map(([title, table]) => `### ${title}\n\n${table}`).join('\n');
}

function addSection(sections: Map<string, string>, title: string, schema: Shape): void {
  if (sections.has(title)) return;
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const shape = property as Shape;
    const must = required.has(name) ? '**yes**' : '';
    return `| \`${name}\` | ${kindOf(shape)} | ${must} | ${shape.description ?? ''} | ${exampleOf(name, shape)} |`;
  });
  sections.set(
    title,
    `| key | what it holds | needed | what it does | example |\n|---|---|---|---|---|\n${rows.join('\n')}\n`,
  );
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    for (const [inner, shape] of placesIn(name, property)) addSection(sections, inner, shape);
  }
}

/** What has keys of its own inside a key, by how its place is called. */
function placesIn(name: string, shape: Shape): [string, Shape][] {
  const [row] = Object.values(shape.patternProperties ?? {}) as Shape[];
  if (row?.properties) return [[`Each of \`${name}\``, row]];
  if (shape.form !== undefined) return [];
  if (shape.properties) return [[`\`${name}\``, shape]];
  if (shape.items) return placesIn(name, shape.items).map(([, inner]) => [titleOf(name, inner), inner]);
  if (!shape.anyOf?.some((one) => (one as Shape).properties)) return [];
  return (shape.anyOf as readonly Shape[]).map((one) => [titleOf(name, one), one]);
}

function titleOf(name: string, { properties }: Shape): string {
  const type = (properties?.['type'] as Shape | undefined)?.const;
  return type === undefined ? `Each of \`${name}\`` : `An action of type \`${String(type)}\``;
}

function kindOf(shape: Shape): string {
  if (shape.form !== undefined) return shape.form;
  if (shape.const !== undefined) return `\`${String(shape.const)}\``;
  if (shape.anyOf) {
    const values = (shape.anyOf as readonly Shape[]).map((one) => one.const);
    return values.every((value) => value !== undefined)
      ? values.map((value) => `\`${String(value)}\``).join(', ')
      : 'action';
  }
  if (shape.type === 'array') return listOf(shape.items ?? {});
  if (shape.type === 'object') return 'section';
  if (shape.minimum !== undefined && shape.maximum !== undefined) {
    return `${shape.type === 'integer' ? 'whole number' : 'number'} ${shape.minimum} to ${shape.maximum}`;
  }
  return 'text';
}

function listOf(items: Shape): string {
  const kind = kindOf(items);
  return items.properties ? 'list of sections' : `list of ${kind}${/^[a-z]+$/.test(kind) ? 's' : ''}`;
}

/** Words that other readers of YAML take for something else than text. */
const QUOTED = /^(?:on|off|yes|no|true|false|[\d+-].*)$/i;

/** The example as one line of the file. */
function exampleOf(name: string, shape: Shape): string {
  const document = new Document({ [name]: shape.const ?? shape.examples?.[0] });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && QUOTED.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const line = document
    .toString({ collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true })
    .trim()
    .replace(/^\{ /, '')
    .replace(/ \}$/, '');
  return `\`${line.replaceAll('|', '\\|')}\``;
}
