import type { Sample } from './operation.ts';
import {
  type Direction,
  fieldRow,
  fieldTable,
  type JsonSchema,
  resolved,
  type Schemas,
  typeName,
} from './reference-fields.ts';
import { exampleOf, factsList, name, prose, sampleTabs, table, text } from './reference-html.ts';
import { SCRIPT } from './reference-script.ts';
import { type SocketDocument, talkSection, transcribeSection } from './reference-socket.ts';
import { STYLE } from './reference-style.ts';

/** The reference as one HTML page that loads nothing, made from the OpenAPI and the AsyncAPI document. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Schemas };
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
  readonly 'x-codeSamples'?: readonly Sample[];
  readonly 'x-price'?: string;
  readonly 'x-limits'?: readonly string[];
}
type Examples = Readonly<Record<string, { readonly value: { readonly error: { readonly message: string } } }>>;
type Content = Readonly<
  Record<string, { readonly schema?: JsonSchema; readonly example?: unknown; readonly examples?: Examples }>
>;

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}
interface ErrorRow {
  readonly status: string;
  readonly code: string;
  readonly message: string;
}

/** Sockets by the group of operations that they belong to. */
const SOCKETS: Readonly<
  Record<string, { readonly id: string; readonly label: string; readonly section: typeof talkSection }>
> = {
  Agents: { id: 'talk', label: 'Talk to an agent (WebSocket)', section: talkSection },
  Transcription: { id: 'transcribeLive', label: 'Live transcription (WebSocket)', section: transcribeSection },
};
const socketOf = (group: string) => (Object.hasOwn(SOCKETS, group) ? SOCKETS[group] : undefined);

export function referencePage(document: OpenApiDocument, socket: SocketDocument, limits: readonly string[]): string {
  const entries: Entry[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const groups = document.tags.map(({ name }) => ({
    name,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const errors = entries.map(({ operation }) => errorsOf(operation));
  const common = new Set(
    errors[0]?.map(({ code }) => code).filter((code) => errors.every((rows) => rows.some((row) => row.code === code))),
  );
  const sections = groups.flatMap((group) => {
    const own = socketOf(group.name);
    return [
      ...group.entries.map((entry) => section(entry, document, common)),
      ...(own ? [own.section(own.id, socket)] : []),
    ];
  });
  const { title } = document.info;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${text(title)}</title><style>${STYLE}</style></head><body>
<input type="checkbox" id="menu"><label class="menu" for="menu">${text(title)}</label>
${navigation(document, groups)}
<main>${introduction(document, limits)}
${sections.join('\n')}
${errorChapter(errors.flat())}</main><script>${SCRIPT}</script></body></html>`;
}

function navigation(
  { info }: OpenApiDocument,
  groups: readonly { readonly name: string; readonly entries: readonly Entry[] }[],
): string {
  const link = (id: string, label: string): string => `<a href="#${id}">${text(label)}</a>`;
  const links = groups.map(({ name, entries }) => {
    const operations = entries.map(({ operation: { operationId, summary } }) => link(operationId, summary));
    const socket = socketOf(name);
    return `<h2>${text(name)}</h2>${[...operations, ...(socket ? [link(socket.id, socket.label)] : [])].join('')}`;
  });
  return `<nav><strong>${text(info.title)}</strong> <span class="soft">${text(info.version)}</span>
<h2>Start</h2>${link('start', 'Address and token')}${link('client', 'TypeScript client')}${link('limits', 'Limits')}
${links.join('')}
<h2>More</h2>${link('errors', 'Error codes')}<a href="openapi.json">openapi.json</a><a href="asyncapi.json">asyncapi.json</a></nav>`;
}

function introduction({ info }: OpenApiDocument, limits: readonly string[]): string {
  return `<div class="about" id="start"><h1>${text(info.title)}</h1><p>${prose(info.description)}</p>
<p>Address: <code>{base_url}</code>. Every operation needs the header <code>Authorization: Bearer &lt;API_KEY&gt;</code>.</p>
<div class="key"><label for="key">Your token, put into the samples on this page only:</label>
<input id="key" type="text" autocomplete="off" spellcheck="false" placeholder="service_sk_live_..."></div>
<p>TypeScript runs on Node 20.19 and newer, Python with its standard library alone.
A paid request may carry an <code>Idempotency-Key</code>: repeated with the same key within 24 hours it is charged once.
Errors are <code>{"error": {"code", "message"}}</code>;
<code>X-Request-Id</code> names a request to whoever runs this service.</p>
<h3 id="client">TypeScript client</h3>
<p>The tab “Client” uses <code>nidaa/client</code>, which is part of this gateway: <code>npm install FOLDER_OF_THE_GATEWAY</code>.
Its types are those that check requests here; it repeats what is safe to repeat and throws <code>ServiceError</code>
with the <code>code</code> of the answer.</p>
<h3 id="limits">Limits</h3><ul>${limits.map((limit) => `<li>${prose(limit)}</li>`).join('')}</ul></div>`;
}

function section({ method, path, operation }: Entry, document: OpenApiDocument, common: ReadonlySet<string>): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const { schemas } = document.components;
  const given = parameters.map((one) =>
    fieldRow(
      one.name,
      `${one.in}, ${typeName(one.schema, schemas)}`,
      one.required === true ? 'required' : '',
      one.description ?? one.schema?.description,
    ),
  );
  const own = errorsOf(operation).filter(({ code }) => !common.has(code));
  const ofAll = [...common].map((code) => `<a href="#error-${code}"><code>${text(code)}</code></a>`);
  const answer = responses['200']?.content ?? {};
  const { schema, example = resolved(schema, schemas)?.examples?.[0] } = answer['application/json'] ?? {};
  return `<section id="${operationId}"><h2>${text(summary)}</h2>
<p class="route"><span class="verb">${method}</span><code>${text(path)}</code></p>
<div class="both"><div class="intro">${description === undefined ? '' : `<p>${prose(description)}</p>`}${factsList(operation)}</div>
<div class="code">${sampleTabs(operation['x-codeSamples'] ?? [])}${example === undefined ? '' : exampleOf(example)}</div>
<div class="rest">${given.length === 0 ? '' : `<h3>Parameters</h3>${table(['Name', 'Type', 'Meaning'], given)}`}
${requestBody ? `<h3>Request</h3>${bodies(requestBody.content, schemas, 'sent')}` : ''}
<h3>Answer</h3>${bodies(answer, schemas, 'read')}
<h3>Errors</h3>${own.length === 0 ? '' : errorTable(own)}
<p class="soft">${own.length === 0 ? 'Those' : 'And those'} of every operation: ${ofAll.join(', ')}.</p></div></div></section>`;
}

function bodies(content: Content, schemas: Schemas, direction: Direction): string {
  const byShape = new Map<string, string[]>();
  for (const [mediaType, { schema }] of Object.entries(content)) {
    const shape = fieldTable(schema, schemas, direction);
    byShape.set(shape, [...(byShape.get(shape) ?? []), mediaType]);
  }
  const part = ([shape, mediaTypes]: [string, string[]]): string =>
    `<p class="soft">${mediaTypes.map((type) => `<code>${text(type)}</code>`).join(', ')}</p>${shape}`;
  return [...byShape].map(part).join('');
}

function errorsOf({ responses }: OpenApiOperation): ErrorRow[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries(content?.['application/json']?.examples ?? {}).map(([code, { value }]) => ({
      ...{ status, code, message: value.error.message },
    })),
  );
}

const errorTable = (rows: readonly ErrorRow[], anchored = false): string =>
  table(
    ['Status', 'Code', 'Message'],
    rows.map(({ status, code, message }) => [
      text(status),
      anchored ? `<span id="error-${text(code)}">${name(code)}</span>` : name(code),
      text(message),
    ]),
    'narrow',
  );

/** Every code once, by status. */
function errorChapter(all: readonly ErrorRow[]): string {
  const once = [...new Map(all.map((row) => [row.code, row])).values()].sort((a, b) => +a.status - +b.status);
  return `<section id="errors"><h2>Error codes</h2>
<p>A code has one status and one message; <code>&lt;detail&gt;</code> is what was wrong.
<code>unavailable</code> and <code>rate_limited</code> carry <code>Retry-After</code>, and nothing that failed is charged.</p>
${errorTable(once, true)}</section>`;
}
