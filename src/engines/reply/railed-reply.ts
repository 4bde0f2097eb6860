import type { Agent } from '../../core/agent.ts';
import { isTroubled } from './acts/read-acts.ts';
import type { ReplyEngine } from './contract.ts';
import { wordsOf } from './fold.ts';

/**
 * A model-backed engine of two halves. An agent with flows is served by `dialogue`: its rules decide, and the model only
 * proposes. An agent without them is answered by the model itself (`talk`), but for callers in trouble.
 */
export function railedReply(name: string, dialogue: ReplyEngine, talk: ReplyEngine): ReplyEngine {
  const half = (agent: Agent): ReplyEngine => ((agent.definition.flows ?? []).length > 0 ? dialogue : talk);
  return {
    name,
    // Without its model an agent with flows is still served by its own reading.
    available: (agent) => (agent ? half(agent) : talk).available(),
    greeting: (agent, ...rest) => half(agent).greeting(agent, ...rest),
    expects: (agent, ...rest) => half(agent).expects(agent, ...rest),
    takesNote: (agent, note) => half(agent).takesNote?.(agent, note) ?? 'no',
    reply: (request, signal) => {
      const troubled = request.input === 'speech' && isTroubled(wordsOf(request.text));
      return (troubled ? dialogue : half(request.agent)).reply(request, signal);
    },
    close: async () => void (await Promise.all([dialogue.close(), talk.close()])),
  };
}
