import type { Agent } from '../../core/agent.ts';
import { wordsOf } from '../../language/words.ts';
import type { ToolSource } from '../tools/contract.ts';
import { isTroubled } from './acts/read-acts.ts';
import { agreeingReply } from './agreeing-reply.ts';
import type { ReplyEngine } from './contract.ts';
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
  const half = (agent: Agent): ReplyEngine => ((agent.definition.flows ?? []).length > 0 ? dialogue : talk);
  const halves: ReplyEngine = {
    name,
    // Without its model an agent with flows is still served by its own reading.
    available: (agent) => (agent ? half(agent) : talk).available(),
    greeting: (agent, ...rest) => half(agent).greeting(agent, ...rest),
    expects: (agent, history, variables) => half(agent).expects(agent, history, variables),
    takesNote: (agent, note) => half(agent).takesNote?.(agent, note) ?? 'no',
    reply: (request, signal) => {
      const troubled = request.input === 'speech' && isTroubled(wordsOf(request.text));
      return (troubled ? dialogue : half(request.agent)).reply(request, signal);
    },
    close: async () => void (await Promise.all([dialogue.close(), talk.close()])),
  };
  return agreeingReply(halves, dialogue, tools);
}
