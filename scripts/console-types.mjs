/**
 * Writes the types and the table of operations of the console from the descriptions of the management API, so that the pages are
 * checked against what the gateway answers. Runs on the built gateway; `npm run build` calls it.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import { manageDocument } from '../dist/manage/document.js';
import { operationsOf } from '../dist/manage/operations.js';

const FOLDER = new URL('../src/console/api/generated/', import.meta.url);
const TYPES = new URL('operations.ts', FOLDER);
const SOURCE = new URL('document.json', FOLDER);
/** The shape of an agent: the editor of agents completes by it, and knows the order of its keys. */
const AGENT = new URL('agent-definition.json', FOLDER);
const JSON_TYPE = 'application/json';

/** Descriptions are made without a gateway behind them: what it would have is there, and is nothing. */
const nothing = new Proxy(() => nothing, {
  get: (_target, name) => (name === Symbol.toPrimitive ? () => '' : nothing),
});
const operations = operationsOf(nothing);
const document = manageDocument(operations, '', '');
const text = JSON.stringify(document);
if (![TYPES, SOURCE, AGENT].every((file) => existsSync(file)) || readFileSync(SOURCE, 'utf8') !== text) await write();

async function write() {
  const shapes = {};
  const table = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, one] of Object.entries(methods)) {
      shapes[one.operationId] = shapesOf(one);
      table[one.operationId] = { method: method.toUpperCase(), path, ...(one['x-scope'] && { scope: one['x-scope'] }) };
    }
  }
  const schema = {
    title: 'Operations',
    ...object(shapes),
    definitions: document.components.schemas,
  };
  const types = await compile(
    JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/definitions/')),
    '',
    {
      additionalProperties: false,
      bannerComment: '/** Made by scripts/console-types.mjs from the descriptions in src/manage: not to be edited. */',
      format: false,
      ignoreMinAndMaxItems: true, // else each length that a list may have is written out, some with all that is in them
      unreachableDefinitions: true,
      enableConstEnums: false,
    },
  );
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(TYPES, `${types}\nexport const OPERATIONS = ${JSON.stringify(table, null, 2)} as const;\n`);
  writeFileSync(AGENT, JSON.stringify(document.components.schemas.AgentDefinition));
  writeFileSync(SOURCE, text);
}

/** What is sent and answered; what an operation has not is `undefined`. */
function shapesOf({ parameters, requestBody, responses }) {
  const of = (where) => parameters.filter((one) => one.in === where);
  const params = of('path');
  const query = of('query');
  const body = requestBody?.content[JSON_TYPE]?.schema;
  const answer = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content?.[JSON_TYPE]?.schema;
  return object({
    ...(params.length > 0 && { params: fields(params) }),
    ...(query.length > 0 && { query: fields(query) }),
    ...(body && { body }),
    ...(answer && { answer }),
  });
}

function fields(parameters) {
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [name, { ...schema, description }]),
  );
  return { type: 'object', properties, required: parameters.filter((one) => one.required).map(({ name }) => name) };
}

function object(properties) {
  return { type: 'object', properties, required: Object.keys(properties) };
}
