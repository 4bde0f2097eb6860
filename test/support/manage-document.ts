import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type Json = Readonly<Record<string, unknown>>;
export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string; // with `{id}`
  readonly scope: string | undefined;
  readonly isOpen: boolean;
  readonly pathParams: readonly string[];
  readonly body: { readonly schema: Json; readonly example?: unknown } | undefined;
  readonly answers: Readonly<Record<string, { readonly schema: Json; readonly example?: unknown } | undefined>>;
}
interface Entry {
  readonly operationId: string;
  readonly security: readonly Json[];
  readonly 'x-scope'?: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Json };
  readonly responses: Readonly<Record<string, { readonly content?: Json }>>;
}
interface Written {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Entry>>>>;
  readonly components: { readonly schemas: Json };
}

/** By the named schemas of a document, and by the schema: to compile one takes ten times as long as to ask it. */
const judges = new Map<string, (rooted: string) => ValidateFunction>();

function judgeOf(components: string): (rooted: string) => ValidateFunction {
  const known = judges.get(components);
  if (known) return known;
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': RFC3339 } });
  ajv.addSchema({ $id: 'doc', components: JSON.parse(components) as Json });
  const compiled = new Map<string, ValidateFunction>();
  const judge = (rooted: string): ValidateFunction => {
    const validate = compiled.get(rooted) ?? ajv.compile(JSON.parse(rooted) as Json);
    compiled.set(rooted, validate);
    return validate;
  };
  judges.set(components, judge);
  return judge;
}

/** The document of the management API, and judges of what it says. */
export class ManageDocument {
  readonly operations: readonly DescribedOperation[];
  readonly #judge: (rooted: string) => ValidateFunction;

  constructor(readonly written: Written) {
    this.#judge = judgeOf(JSON.stringify(written.components));
    this.operations = Object.entries(written.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, entry]) => described(method.toUpperCase(), path, entry)),
    );
  }

  /** Which operation such a request is. */
  find(method: string, path: string): DescribedOperation | undefined {
    const bare = path.split('?', 1)[0]!;
    const fits = (written: string): boolean => new RegExp(`^${written.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare);
    return this.operations
      .filter((one) => one.method === method && fits(one.path))
      .sort((a, b) => a.pathParams.length - b.pathParams.length)[0];
  }

  /** What is wrong with `value`; empty where it is as `schema` says. */
  faults(schema: Json, value: unknown): string[] {
    const rooted = JSON.stringify(schema).replaceAll('"#/components', '"doc#/components');
    const validate = this.#judge(rooted);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
type Content = { readonly schema?: Json; readonly example?: unknown } | undefined;

function described(method: string, path: string, entry: Entry): DescribedOperation {
  const json = (content: Json | undefined): { schema: Json; example?: unknown } | undefined => {
    const found = content?.['application/json'] as Content;
    return found?.schema && { schema: found.schema, example: found.example };
  };
  return {
    ...{ id: entry.operationId, method, path, scope: entry['x-scope'], isOpen: entry.security.length === 0 },
    pathParams: entry.parameters.filter((one) => one.in === 'path').map(({ name }) => name),
    body: json(entry.requestBody?.content),
    answers: Object.fromEntries(
      Object.entries(entry.responses).map(([status, { content }]) => [status, json(content)]),
    ),
  };
}
