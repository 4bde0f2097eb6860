import type { Agent, FlowDefinition, Localized } from '../../core/agent.ts';
import type { SlotValue } from '../../language/values/slot.ts';
import type { ValidationMoment } from '../../language/values/validate.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a model gave a tool, held to the tool's rules; or why that cannot stand, in words for the model. */
export type ToolArguments =
  | {
      readonly ok: true;
      readonly values: Fields;
      /** Of a tool with a flow: the same, as they are read back. */
      readonly slots: Readonly<Record<string, SlotValue>>;
    }
  | { readonly ok: false; readonly why: string };

/** What came of a call. `why` is one word, for records; `text` what the service itself said. */
export type ToolRun =
  | { readonly ok: true; readonly text: string; readonly facts: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly why: string; readonly text?: string };

/** What a tool may know beside what it is given. */
export interface ToolCallContext {
  /** Of the call, such as who calls. */
  readonly variables: Readonly<Record<string, string>>;
  /** Of the call, where it is traced. */
  readonly traceparent?: string | undefined;
}

/** A function that a model may call for an agent. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly schema: Fields;
  /** For records: `GET https://shop.example/orders/`. No value stands in it. */
  readonly label: string;
  readonly filler?: Localized;
  /** Of one that changes something: what is read back and then done, all values in it. */
  readonly flow?: FlowDefinition;
  read(given: Fields, moment: ValidationMoment): ToolArguments;
  /** Bounded in time and size; never throws. Slots of its flow stand for what `read` made of them. */
  run(values: Fields, call: ToolCallContext, signal: AbortSignal): Promise<ToolRun>;
}

/** Which tools the models of agents have. */
export interface ToolSource {
  /** At once, from what is known: nobody waits for a server's list. */
  toolsOf(agent: Agent): readonly AgentTool[];
}

export interface ModelToolLimits {
  /** Of one turn of the caller. */
  readonly callsPerTurn: number;
  /** Of one call; an agent's own `timeoutMs` may be less. */
  readonly timeoutMs: number;
  /** Silence after which the caller is told that it takes a moment. */
  readonly fillerAfterMs: number;
  /** Of an answer, as far as a model is given it. */
  readonly resultChars: number;
}

export const MODEL_TOOL_LIMITS: ModelToolLimits = {
  callsPerTurn: 4,
  timeoutMs: 8_000,
  fillerAfterMs: 1_200,
  resultChars: 4_000,
};
