import { type CompiledAgent, labelOf } from '../compiled-agent.ts';
import type { ReplyRequest } from '../contract.ts';
import type { DialogueState } from '../dialogue-state.ts';
import type { Proposal, Scene } from './proposal.ts';

/** Something that reads sentences which the agent's own matcher is not certain of. */
export interface Proposer {
  /** Undefined where it may not be asked, or has no opinion. Throws where it failed; the caller goes on without it. */
  propose(request: ReplyRequest, scene: Scene, signal: AbortSignal): Promise<Proposal | undefined>;
}

export function sceneOf(agent: CompiledAgent, { pending, flow, language }: DialogueState): Scene {
  const labels = (ids: readonly string[]): string[] =>
    ids.flatMap((id) => {
      const meaning = agent.meaning(id);
      return meaning ? [labelOf(meaning, language)] : [];
    });
  return {
    waits: pending.kind,
    ...(flow !== undefined && { flow }),
    ...('slot' in pending && { slot: pending.slot }),
    ...(pending.kind === 'choose' && { options: labels(pending.options) }),
  };
}
