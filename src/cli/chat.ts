import { createInterface } from 'node:readline';
import { type AgentFile, loadAgents } from '../config/agents.ts';
import { loadVoices } from '../config/voices.ts';
import type { Agent } from '../core/agent.ts';
import { systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import { createMetrics } from '../core/metrics.ts';
import { McpServers } from '../engines/mcp/mcp-servers.ts';
import type { ReplyEvent, Turn } from '../engines/reply/contract.ts';
import { isKeys } from '../engines/reply/keypad.ts';
import { createToolFetcher } from '../engines/reply/tool-fetcher.ts';
import type { TurnOutcome } from '../engines/reply/turn-draft.ts';
import { ReplySet } from '../engines/reply-set.ts';
import type { CommandContext } from './context.ts';
import { type Output, paint } from './output.ts';
import { ownVersion } from './own-version.ts';

export interface ChatOptions {
  /** Show what was understood, the rule that decided, and the values held. */
  readonly trace?: boolean;
}

/**
 * A typed conversation with an agent of the agent files, turn by turn: the same engines as on the telephone, tools and
 * chat model included, without a database. Ends with the agent's goodbye, its transfer, or the end of the input.
 *
 * @param which - the agent's number or name.
 */
export async function chat(
  context: CommandContext,
  which: string,
  options: ChatOptions,
  lines?: AsyncIterable<string>,
): Promise<void> {
  const { out, config, logger } = context;
  const agent = findAgent(context, which);
  const decided: TurnOutcome[] = [];
  const servers = new McpServers(config.engines.mcp, { clock: systemClock, logger, version: ownVersion() });
  await servers.listed(); // as a gateway that has been running for a while
  const replies = ReplySet.open(config.engines, {
    servers,
    ...{ clock: systemClock, metrics: createMetrics(), logger },
    fetcher: createToolFetcher(config.engines.httpTools),
    onTurn: (outcome) => decided.push(outcome),
  });
  await replies.prepare(agent); // no caller waits: what it costs is not counted against the first answer
  const { engine } = replies;
  const history: Turn[] = [{ role: 'agent', text: engine.greeting(agent, {}, 'voice') }];
  if (!out.json) out.write(`${paint(out, 'green', 'agent')}  ${history[0]!.text}\n`);
  // Made only now: it loses what comes before somebody reads.
  for await (const line of lines ?? createInterface({ input: process.stdin })) {
    const text = line.trim();
    const input = text === '' ? 'silence' : isKeys(text) ? 'keypad' : 'speech';
    const request = { agent, text, input, mode: 'voice', confidence: 1, history: [...history], variables: {} } as const;
    const events: ReplyEvent[] = [];
    for await (const event of engine.reply(request, new AbortController().signal)) events.push(event);
    const reply = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join(' ');
    const why = decided.splice(0).at(-1);
    const action = events.find((event) => event.type === 'action')?.action;
    write(out, { text, reply, ...(why && { why }), ...(action && { action: action.type }) }, options.trace === true);
    if (text !== '') history.push({ role: 'caller', text });
    if (reply !== '') history.push({ role: 'agent', text: reply });
    if (action?.type === 'hangup' || action?.type === 'transfer') break;
  }
  await Promise.all([replies.close(), servers.close()]);
}

function findAgent({ config }: CommandContext, which: string): Agent {
  const { paths } = config;
  const files = loadAgents(paths.agentsDir, loadVoices(paths.voicesFile));
  const wanted = which.toLowerCase();
  const names = ({ number, definition }: AgentFile): string[] => [number, definition.name.toLowerCase()];
  const file = files.find((one) => names(one).includes(wanted));
  if (!file) {
    const known = files.map(({ number, definition }) => `${number} (${definition.name})`).join(', ');
    throw new OperatorError(`No agent ${which} in ${paths.agentsDir}; there are: ${known || 'none'}`);
  }
  const { definition } = file;
  return { id: 'agt_chat', accountId: 'acc_chat', version: 1, status: 'live', definition, updatedAt: new Date(0) };
}

interface ChatTurn {
  readonly text: string;
  readonly reply: string;
  readonly action?: string;
  /** Undefined where a model answered by itself. */
  readonly why?: TurnOutcome;
}

function write(out: Output, { text, reply, action, why }: ChatTurn, trace: boolean): void {
  if (out.json) {
    const { trace: steps = [], meant = [], done = [], state } = why ?? {};
    const { pending, flow } = state ?? {};
    return out.write(
      `${JSON.stringify({ text, reply, action, steps, meant, done, pending, flow, values: valuesOf(why) })}\n`,
    );
  }
  const lines = trace ? traceOf(why) : [];
  for (const line of lines) out.write(`${paint(out, 'dim', `       ${line}`)}\n`);
  out.write(`${paint(out, 'green', 'agent')}  ${reply}${action ? paint(out, 'yellow', ` [${action}]`) : ''}\n`);
}

function valuesOf(why: TurnOutcome | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(why?.state.slots ?? {}).map(([name, { value }]) => [name, value]));
}

/** What was understood, what became of a model's proposal, the rule that decided, and the values held. */
function traceOf(why: TurnOutcome | undefined): string[] {
  if (!why) return ['answered by the model itself'];
  const { trace, state } = why;
  const held = Object.entries(valuesOf(why)).map(([name, value]) => `${name}=${value}`);
  const waits = 'slot' in state.pending ? `${state.pending.kind} ${state.pending.slot}` : state.pending.kind;
  return [
    ...trace.flatMap(({ rule, why: reason, acts, proposed = [] }) => [
      ...proposed.map((note) => `model: ${note}`),
      `${acts.join(' ') || '-'} -> ${rule}: ${reason}`,
    ]),
    [state.flow ?? 'no flow', `waits: ${waits}`, ...held].join(', '),
  ];
}
