import type { Clock } from '../core/clock.ts';
import { momentOf } from '../language/calendar/calendar.ts';
import type { ToolsOfTurn } from './privacy/protected-reply.ts';
import type { Agree } from './privacy/turn-tools.ts';
import { agreeingAgent } from './reply/agreeing-agent.ts';
import type { ReplyRequest } from './reply/contract.ts';
import { DEFAULT_TIME_ZONE, type DialogueEngine } from './reply/scripted-dialogue.ts';
import type { ModelToolLimits, ToolSource } from './tools/contract.ts';

/** What the models of agents may call, turn by turn; what changes something is put to the caller by the dialogue. */
export function modelTools(
  source: ToolSource,
  limits: ModelToolLimits,
  dialogue: DialogueEngine,
  clock: Clock,
): ToolsOfTurn {
  return (request) => {
    const tools = source.toolsOf(request.agent);
    if (tools.length === 0) return undefined;
    const moment = momentOf(clock.utc(), DEFAULT_TIME_ZONE);
    const { variables: defaults } = request.agent.definition;
    const { note } = request;
    const variables = { ...defaults, ...request.variables };
    return { tools, limits, clock, moment, variables, agree: agreeing(source, dialogue, request), note };
  };
}

/**
 * A read-back from which the dialogue will know again, in the next turn and from what is said alone, the very values that
 * were given: whoever says yes says it to those. Others are not read back.
 */
function agreeing(source: ToolSource, dialogue: DialogueEngine, request: ReplyRequest): Agree {
  return async ({ name }, slots) => {
    const agent = agreeingAgent(request.agent, source);
    if (!agent) return undefined;
    await dialogue.prepare(agent);
    const asked = { ...request, agent };
    const lines = dialogue.readBack(asked, name, slots);
    const text = lines.map((line) => line.text).join(' ');
    const said = [{ role: 'caller', text: request.text } as const, { role: 'agent', text } as const];
    const known = dialogue.underWay({ ...asked, history: [...request.history, ...said] });
    const isSame = Object.entries(slots).every(([slot, { value }]) => known?.values[slot] === value);
    return known?.flow === name && isSame ? lines : undefined;
  };
}
