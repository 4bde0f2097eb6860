import type { Localized, SlotType, ToolParameter } from '../../core/agent.ts';
import { plainFields } from '../reply/http-tool.ts';
import { variablesOf } from '../reply/template.ts';
import type { AgentTool, ToolRun } from '../tools/contract.ts';
import { flowOf } from '../tools/http-model-tool.ts';
import { readParameters, schemaOf } from '../tools/parameters.ts';
import { readJson, typesOf } from './json-arguments.ts';
import type { McpClient } from './mcp-client.ts';
import { McpFailure, type McpTool, objectOf } from './mcp-messages.ts';

/** What the operator says of a tool that may be called. */
export interface McpToolRule {
  /** Whether it changes something; it does where nothing is said. */
  readonly changes?: boolean;
  readonly confirm?: Localized;
  readonly filler?: Localized;
  readonly then?: Localized;
  readonly otherwise?: Localized;
}

export interface McpToolParts {
  readonly server: string; // its name in the configuration
  readonly client: McpClient;
  readonly timeoutMs: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** As models may be given it. */
const nameOf = (server: string, tool: string): string =>
  `${server}_${tool}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);

/** A tool of a server as a model may call it, or why it may not. */
export function mcpModelTool(
  tool: McpTool,
  rule: McpToolRule,
  parts: McpToolParts,
): AgentTool | { readonly why: string } {
  const common = {
    ...{ name: nameOf(parts.server, tool.name), description: tool.description || tool.name },
    label: `mcp ${parts.server}/${tool.name}`,
    ...(rule.filler && { filler: rule.filler }),
  };
  if (rule.changes === false) {
    return {
      ...{ ...common, schema: tool.inputSchema },
      read: (given) => {
        const read = readJson(tool.inputSchema, given);
        return read.ok ? { ok: true, values: read.value as Fields, slots: {} } : read;
      },
      run: (values, _, signal) => run(tool, values, true, parts, signal),
    };
  }
  const parameters = parametersOf(tool, rule.confirm ?? {});
  if ('why' in parameters) return parameters;
  return {
    ...{ ...common, schema: schemaOf(parameters.all), flow: flowOf({ ...rule, name: common.name }, parameters.all) },
    read: (given, moment) => {
      const read = readParameters(parameters.all, given, moment);
      if ('why' in read) return { ok: false, why: read.why };
      const values = Object.entries(read.slots).map(([name, { value }]) => [name, value]);
      return { ok: true, values: Object.fromEntries(values), slots: read.slots };
    },
    run: (values, _, signal) => run(tool, asJson(values, tool.inputSchema), false, parts, signal),
  };
}

/** The values that are read back: those that the read-back names, and the server has to have no others. */
function parametersOf(
  { inputSchema }: McpTool,
  confirm: Localized,
): { readonly all: readonly ToolParameter[] } | { readonly why: string } {
  const properties = objectOf(inputSchema['properties']) ?? {};
  const required = Array.isArray(inputSchema['required']) ? inputSchema['required'].map(String) : [];
  const texts = [confirm.ar, confirm.en].filter((text) => text !== undefined);
  const names = [...new Set(texts.flatMap(variablesOf))];
  const unread = required.find((name) => texts.some((text) => !variablesOf(text).includes(name)));
  if (unread !== undefined) return { why: `its read-back does not name ${unread}, which it needs` };
  const all: ToolParameter[] = [];
  for (const name of names) {
    const property = Object.hasOwn(properties, name) ? objectOf(properties[name]) : undefined;
    if (!property) return { why: `it has no ${name}, which its read-back names` };
    const type = slotTypeOf(property);
    if (!type) return { why: `${name} is no plain value: nobody could agree to it` };
    const choices = type === 'choice' ? (property['enum'] as readonly string[]) : undefined;
    const means = property['description'];
    all.push({
      ...{ name, type },
      ...(typeof means === 'string' && means !== '' && { means: means.slice(0, 300) }),
      ...(choices && { choices: choices.map((value) => ({ value, say: { en: [value] } })) }),
    });
  }
  return { all };
}

function slotTypeOf(property: Fields): SlotType | undefined {
  const [type, ...others] = typesOf(property).filter((one) => one !== 'null');
  if (others.length > 0) return undefined;
  if (type === 'boolean') return 'yesno';
  if (type === 'integer' || type === 'number') return 'number';
  if (type !== 'string') return undefined;
  const words = property['enum'];
  if (Array.isArray(words)) return words.every((word) => typeof word === 'string') ? 'choice' : undefined;
  return property['format'] === 'date' ? 'date' : property['format'] === 'time' ? 'time' : 'text';
}

/** Values as they were agreed on, in the types of the server. */
function asJson(values: Fields, { properties }: Fields): Fields {
  const typed = Object.entries(values).map(([name, value]) => {
    const types = typesOf(objectOf(objectOf(properties)?.[name]) ?? {});
    if (types.includes('boolean')) return [name, value === 'yes'];
    if (types.includes('number') || types.includes('integer')) return [name, Number(value)];
    return [name, value];
  });
  return Object.fromEntries(typed);
}

async function run(
  tool: McpTool,
  args: Fields,
  isRepeatable: boolean,
  { client, timeoutMs }: McpToolParts,
  signal: AbortSignal,
): Promise<ToolRun> {
  try {
    const { isError, text, structured } = await client.call(tool.name, args, { timeoutMs, isRepeatable }, signal);
    return isError ? { ok: false, why: 'error', text } : { ok: true, text, facts: plainFields(structured) };
  } catch (error) {
    const { kind, said } = error instanceof McpFailure ? error : new McpFailure('garbage');
    return { ok: false, why: kind, text: said };
  }
}
