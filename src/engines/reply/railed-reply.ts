import type { Agent } from '../../core/agent.ts';
import type { ToolSource } from '../tools/contract.ts';
import { isTroubled } from './acts/read-acts.ts';
import { agreeingAgent } from './agreeing-agent.ts';
import type { ReplyEngine, ReplyRequest } from './contract.ts';
import { wordsOf } from './fold.ts';
import type { DialogueEngine } from './scripted-dialogue.ts';

const NO_TOOLS: ToolSource = { toolsOf: () => [] };

/**
 * A model-backed engine of two halves. An agent with flows is served by `dialogue`: its rules decide, and the model only
 * proposes. An agent without them is answered by the model itself (`talk`), but for callers in trouble, and for those who
 * are asked to agree to what a tool changes: whether that is a yes is decided by the rules.
 */
export function railedReply(
  name: string,
  dialogue: DialogueEngine,
  talk: ReplyEngine,
  tools: ToolSource = NO_TOOLS,
): ReplyEngine {
  const hasFlows = ({ definition }: Agent): boolean => (definition.flows ?? []).length > 0;
  const half = (agent: Agent): ReplyEngine => (hasFlows(agent) ? dialogue : talk);
  /** As the dialogue knows the agent, where something is being agreed on: never before the caller has spoken. */
  const agreeing = (request: Pick<ReplyRequest, 'agent' | 'history' | 'variables' | 'mode'>): Agent | undefined => {
    const mayBe = !hasFlows(request.agent) && request.history.some(({ role }) => role === 'caller');
    const agent = mayBe ? agreeingAgent(request.agent, tools) : undefined;
    return agent && dialogue.underWay({ ...request, agent }) ? agent : undefined;
  };
  return {
    name,
    // Without its model an agent with flows is still served by its own reading.
    available: (agent) => (agent ? half(agent) : talk).available(),
    greeting: (agent, ...rest) => half(agent).greeting(agent, ...rest),
    expects: (agent, history, variables) => {
      const asked = agreeing({ agent, history, variables, mode: 'voice' });
      return asked ? dialogue.expects(asked, history, variables) : half(agent).expects(agent, history, variables);
    },
    takesNote: (agent, note) => half(agent).takesNote?.(agent, note) ?? 'no',
    reply: async function* (request, signal) {
      const troubled = request.input === 'speech' && isTroubled(wordsOf(request.text));
      const made = hasFlows(request.agent) ? undefined : agreeingAgent(request.agent, tools);
      if (made) await dialogue.prepare(made);
      const asked = made && agreeing(request);
      if (asked) yield* dialogue.reply({ ...request, agent: asked }, signal);
      else yield* (troubled ? dialogue : half(request.agent)).reply(request, signal);
    },
    close: async () => void (await Promise.all([dialogue.close(), talk.close()])),
  };
}
