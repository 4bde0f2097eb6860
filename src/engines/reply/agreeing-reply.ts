import type { Agent } from '../../core/agent.ts';
import type { ToolSource } from '../tools/contract.ts';
import { agreeingAgent } from './agreeing-agent.ts';
import { answering } from './answering.ts';
import type { ReplyEngine, ReplyRequest } from './contract.ts';
import type { DialogueEngine } from './scripted-dialogue.ts';

type Asked = Pick<ReplyRequest, 'agent' | 'history' | 'variables' | 'mode'>;

/**
 * The same engine; while a caller is asked to agree to what a tool of a model changes, `dialogue` answers, which decides what
 * is a yes. Whichever engine read it back: the one that answers next knows it from what was said.
 *
 * @param guarded - `dialogue`, where it has limits.
 */
export function agreeingReply(
  engine: ReplyEngine,
  dialogue: DialogueEngine,
  tools: ToolSource,
  guarded: Pick<ReplyEngine, 'reply'> = dialogue,
): ReplyEngine {
  const made = ({ agent, history }: Asked): Agent | undefined => {
    const hasFlows = (agent.definition.flows ?? []).length > 0;
    // Nothing is agreed on before the caller has spoken.
    const mayBe = !hasFlows && history.some(({ role }) => role === 'caller');
    return mayBe ? agreeingAgent(agent, tools) : undefined;
  };
  /** As the dialogue knows the agent, where something is being agreed on. */
  const underWay = (request: Asked, agent = made(request)): Agent | undefined =>
    agent && dialogue.underWay({ ...request, agent }) ? agent : undefined;
  return {
    ...answering(engine, async function* (request, signal) {
      const agent = made(request);
      if (agent) await dialogue.prepare(agent);
      const asked = agent && underWay(request, agent);
      yield* asked ? guarded.reply({ ...request, agent: asked }, signal) : engine.reply(request, signal);
    }),
    expects: (agent, history, variables) => {
      const asked = underWay({ agent, history, variables, mode: 'voice' });
      return (asked ? dialogue : engine).expects(asked ?? agent, history, variables);
    },
  };
}
