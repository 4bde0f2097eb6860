/** The reference as one HTML page without scripts, made from the OpenAPI document. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
  readonly tags: readonly { readonly name: string }[];
}
interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: JsonSchema;
    readonly description?: string;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly label: string; readonly source: string }[];
}
type Content = Readonly<Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>>;
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--accent:#0a7d5a;font:16px/1.55 system-ui,sans-serif}
body{margin:0;display:grid;grid-template-columns:15rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.2rem;border-inline-end:1px solid var(--line);box-sizing:border-box;font-size:.9rem}
nav h2{font-size:.75rem;text-transform:uppercase;letter-spacing:.06em;margin:1.2rem 0 .3rem;opacity:.7}
nav a{display:block;padding:.15rem 0;color:inherit;text-decoration:none}nav a:hover{color:var(--accent)}
main{padding:1.5rem 2.5rem;max-width:60rem}
h1{margin-top:0}section{border-top:1px solid var(--line);padding:1.2rem 0}section h3{margin:.2rem 0}
code,pre{font:13px/1.5 ui-monospace,monospace}pre{background:var(--soft);padding:.8rem;overflow:auto;border-radius:6px}
.verb{display:inline-block;min-width:3rem;font-weight:600;color:var(--accent)}
table{border-collapse:collapse;width:100%;font-size:.92rem}td,th{border-bottom:1px solid var(--line);padding:.35rem .6rem .35rem 0;text-align:start;vertical-align:top}
details{margin:.5rem 0}summary{cursor:pointer}.soft{opacity:.7}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}}
`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const text = (value: string): string => value.replace(/[&<>"']/g, (mark) => ESCAPES[mark]!);
/** Descriptions use backquotes for code, and nothing else. */
const prose = (value: string): string => text(value).replace(/`([^`]+)`/g, '<code>$1</code>');

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

export function referencePage(document: OpenApiDocument): string {
  const entries: Entry[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const groups = document.tags.map(({ name }) => ({
    name,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const links = groups.map(
    (group) =>
      `<h2>${text(group.name)}</h2>${group.entries.map(({ operation: { operationId, summary } }) => `<a href="#${operationId}">${text(summary)}</a>`).join('')}`,
  );
  const sections = groups.flatMap((group) => group.entries.map((entry) => section(entry, document)));
  const { title, version, description } = document.info;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${text(title)}</title><style>${STYLE}</style></head><body>
<nav><strong>${text(title)}</strong> <span class="soft">${text(version)}</span>${links.join('')}<h2>Documents</h2><a href="openapi.json">openapi.json</a><a href="asyncapi.json">asyncapi.json (live transcription)</a></nav>
<main><h1>${text(title)}</h1><p>${prose(description)}</p>
<p>Every operation needs <code>Authorization: Bearer &lt;API_KEY&gt;</code>. In the samples <code>{base_url}</code> is the address of this service. Errors are <code>{"error": {"code", "message"}}</code>.</p>
${sections.join('\n')}</main></body></html>`;
}

function section({ method, path, operation }: Entry, document: OpenApiDocument): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const samples = (operation['x-codeSamples'] ?? []).map(
    ({ label, source }, index) =>
      `<details${index === 0 ? ' open' : ''}><summary>${text(label)}</summary><pre>${text(source)}</pre></details>`,
  );
  const given = (parameters ?? []).map((one) =>
    row(
      one.name,
      `${one.in}, ${typeName(one.schema)}`,
      one.required === true,
      one.description ?? one.schema?.description,
    ),
  );
  const { 200: success, ...failures } = responses;
  const errors = Object.entries(failures).map(
    ([status, { description: codes }]) => `<tr><td>${text(status)}</td><td>${prose(codes)}</td></tr>`,
  );
  return `<section id="${operationId}"><h3>${text(summary)}</h3><p><span class="verb">${method}</span> <code>${text(path)}</code></p>
${description === undefined ? '' : `<p>${prose(description)}</p>`}${samples.join('')}
${given.length === 0 ? '' : `<h4>Parameters</h4><table>${given.join('')}</table>`}
${requestBody ? `<h4>Request</h4>${bodies(requestBody.content, document)}` : ''}
<h4>Answer</h4>${bodies(success?.content ?? {}, document)}
<details><summary>Errors</summary><table>${errors.join('')}</table></details></section>`;
}

function bodies(content: Content, document: OpenApiDocument): string {
  const byShape = new Map<string, string[]>();
  for (const [mediaType, { schema }] of Object.entries(content)) {
    const shape = fields(schema, document);
    byShape.set(shape, [...(byShape.get(shape) ?? []), mediaType]);
  }
  return [...byShape]
    .map(
      ([shape, mediaTypes]) =>
        `<p class="soft"><code>${mediaTypes.map(text).join('</code>, <code>')}</code></p>${shape}`,
    )
    .join('');
}

function fields(schema: JsonSchema | undefined, document: OpenApiDocument): string {
  const whole = resolve(schema, document);
  if (!whole?.properties) return `<p>${prose(whole?.description ?? 'Bytes.')}</p>`;
  const rows = Object.entries(whole.properties).map(([name, field]) =>
    row(name, typeName(field), whole.required?.includes(name) ?? false, resolve(field, document)?.description),
  );
  return `<table>${rows.join('')}</table>`;
}

function resolve(schema: JsonSchema | undefined, document: OpenApiDocument): JsonSchema | undefined {
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined ? schema : document.components.schemas[name];
}

function row(name: string, type: string, required: boolean, description: string | undefined): string {
  const need = required ? '' : ' <span class="soft">optional</span>';
  return `<tr><td><code>${text(name)}</code>${need}</td><td>${text(type)}</td><td>${prose(description ?? '')}</td></tr>`;
}

function typeName(schema: JsonSchema | undefined): string {
  if (!schema) return '';
  if (schema.$ref) return schema.$ref.split('/').at(-1)!;
  if (schema.enum) return schema.enum.join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' or ');
  if (schema.items) return `array of ${typeName(schema.items)}`;
  if (schema.patternProperties) return `map of ${Object.values(schema.patternProperties).map(typeName).join(', ')}`;
  const range =
    schema.minimum === undefined || schema.maximum === undefined ? '' : ` ${schema.minimum}..${schema.maximum}`;
  return `${[schema.type ?? 'any'].flat().join(' or ')}${range}`;
}
