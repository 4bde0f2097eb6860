import type { FlowDefinition, ToolDefinition, ToolParameter } from '../../core/agent.ts';
import type { Clock } from '../../core/clock.ts';
import { callTool, toolLabel } from '../reply/http-tool.ts';
import type { Fetcher } from '../reply/tool-fetcher.ts';
import type { AgentTool, ModelToolLimits, ToolCallContext, ToolRun } from './contract.ts';
import { readParameters, schemaOf, slotOf } from './parameters.ts';

export interface HttpToolDeps {
  readonly clock: Clock;
  readonly fetcher?: Fetcher;
  readonly limits: ModelToolLimits;
}

/** Of one answer, before a model is given the beginning of it. */
const MAX_BYTES = 65_536;

/** Whether a tool has to be agreed on. */
export function changesSomething({ changes, method }: Pick<ToolDefinition, 'changes' | 'method'>): boolean {
  return changes ?? method !== 'GET';
}

/** A tool of an agent's file. */
export function httpModelTool(definition: ToolDefinition, deps: HttpToolDeps): AgentTool {
  const { name, description, parameters = [], filler } = definition;
  const flow = changesSomething(definition) ? flowOf(definition, parameters) : undefined;
  return {
    ...{ name, description, schema: schemaOf(parameters), label: toolLabel(definition) },
    ...(filler && { filler }),
    ...(flow && { flow }),
    read: (given, moment) => {
      const read = readParameters(parameters, given, moment);
      if ('why' in read) return { ok: false, why: read.why };
      const values = Object.entries(read.slots).map(([key, { value }]) => [key, value]);
      return { ok: true, values: Object.fromEntries(values), slots: read.slots };
    },
    run: (values, { variables, traceparent }, signal) =>
      run(definition, { ...variables, ...values }, { ...deps, traceparent }, signal),
  };
}

/** What is done after a yes: the read-back is the flow's. */
export function flowOf(
  { name, confirm, then, otherwise }: Pick<ToolDefinition, 'name' | 'confirm' | 'then' | 'otherwise'>,
  parameters: readonly ToolParameter[],
): FlowDefinition {
  const action = { type: 'tool', tool: name, ...(then && { then }), ...(otherwise && { otherwise }) } as const;
  return { name, slots: parameters.map(slotOf), ...(confirm && { confirm }), actions: [action] };
}

async function run(
  definition: ToolDefinition,
  values: Readonly<Record<string, unknown>>,
  { clock, fetcher, limits, traceparent }: HttpToolDeps & Pick<ToolCallContext, 'traceparent'>,
  signal: AbortSignal,
): Promise<ToolRun> {
  const lookup = (name: string): string | undefined => (Object.hasOwn(values, name) ? String(values[name]) : undefined);
  const bounds = { timeoutMs: limits.timeoutMs, maxBytes: MAX_BYTES };
  return callTool(definition, lookup, fetcher, bounds, signal, clock, traceparent);
}
