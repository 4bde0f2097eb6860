import { createInterface } from 'node:readline';
import { type AgentFile, loadAgents } from '../config/agents.ts';
import { loadVoices } from '../config/voices.ts';
import type { Agent } from '../core/agent.ts';
import { systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import { CompiledAgents } from '../engines/reply/compiled-agent.ts';
import type { ReplyEvent, Turn } from '../engines/reply/contract.ts';
import { Explainer, type Explanation } from '../engines/reply/explain.ts';
import { isKeys } from '../engines/reply/keypad.ts';
import { createScriptedReplyEngine, DEFAULT_TIME_ZONE } from '../engines/reply/scripted-dialogue.ts';
import { createToolFetcher } from '../engines/reply/tool-fetcher.ts';
import type { CommandContext } from './context.ts';
import { type Output, paint } from './output.ts';

export interface ChatOptions {
  /** Show what was understood, the rule that decided, and the values held. */
  readonly trace?: boolean;
}

/**
 * A typed conversation with an agent of the agent files, turn by turn: the same engine as on the telephone, its tools
 * included, without a database. Ends with the agent's goodbye, its transfer, or the end of the input.
 *
 * @param which - the agent's number or name.
 */
export async function chat(
  context: CommandContext,
  which: string,
  options: ChatOptions,
  lines: AsyncIterable<string> = createInterface({ input: process.stdin }),
): Promise<void> {
  const { out } = context;
  const agent = findAgent(context, which);
  const agents = new CompiledAgents();
  const engine = createScriptedReplyEngine({
    ...{ agents, clock: systemClock },
    fetcher: createToolFetcher(context.config.engines.httpTools),
  });
  const explainer = new Explainer(systemClock, DEFAULT_TIME_ZONE, agents);
  const history: Turn[] = [{ role: 'agent', text: engine.greeting(agent, {}, 'voice') }];
  if (!out.json) out.write(`${paint(out, 'green', 'agent')}  ${history[0]!.text}\n`);
  for await (const line of lines) {
    const text = line.trim();
    const input = text === '' ? 'silence' : isKeys(text) ? 'keypad' : 'speech';
    const why = explainer.explain(agent, history, text);
    const request = { agent, text, input, mode: 'voice', confidence: 1, history: [...history], variables: {} } as const;
    const events: ReplyEvent[] = [];
    for await (const event of engine.reply(request, new AbortController().signal)) events.push(event);
    const reply = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join(' ');
    const action = events.find((event) => event.type === 'action')?.action;
    write(out, { text, reply, why, ...(action && { action: action.type }) }, options.trace === true);
    if (text !== '') history.push({ role: 'caller', text });
    if (reply !== '') history.push({ role: 'agent', text: reply });
    if (action?.type === 'hangup' || action?.type === 'transfer') break;
  }
  await engine.close();
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
  readonly why: Explanation;
}

function write(out: Output, { text, reply, action, why }: ChatTurn, trace: boolean): void {
  const { steps, meant, done, state } = why;
  const values = Object.fromEntries(Object.entries(state.slots).map(([name, { value }]) => [name, value]));
  if (out.json) {
    const { pending, flow } = state;
    return out.write(`${JSON.stringify({ text, reply, action, steps, meant, done, pending, flow, values })}\n`);
  }
  if (trace) {
    for (const { rule, why: reason, acts } of steps) {
      out.write(`${paint(out, 'dim', `       ${acts.join(' ') || '-'} -> ${rule}: ${reason}`)}\n`);
    }
    const held = Object.entries(values).map(([name, value]) => `${name}=${value}`);
    const waits = 'slot' in state.pending ? `${state.pending.kind} ${state.pending.slot}` : state.pending.kind;
    out.write(`${paint(out, 'dim', `       ${[state.flow ?? 'no flow', `waits: ${waits}`, ...held].join(', ')}`)}\n`);
  }
  out.write(`${paint(out, 'green', 'agent')}  ${reply}${action ? paint(out, 'yellow', ` [${action}]`) : ''}\n`);
}
