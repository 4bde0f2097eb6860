import { type Agent, languageOf, localize } from '../../core/agent.ts';
import type { ReplyEngine, ReplyEvent, ReplyExpectation, ReplyRequest } from './contract.ts';

export interface ScriptedReply {
  readonly text: string;
  readonly action?: Extract<ReplyEvent, { type: 'action' }>['action'];
}

const EXPECTS: ReplyExpectation = {
  hints: { phrases: [], expect: ['free'] },
  collect: { maxDigits: 1, terminator: '#', timeoutMs: 1_500 },
};

/**
 * Fixed replies for tests and demonstrations of the call path: the n-th reply answers the n-th turn, the last one
 * again beyond the end. It understands nothing; `scripted-dialogue` is the engine that does.
 */
export class ScriptedReplies implements ReplyEngine {
  readonly name = 'scripted';
  readonly requests: ReplyRequest[] = [];

  constructor(private readonly replies: readonly ScriptedReply[]) {}

  available(): { readonly ok: true } {
    return { ok: true };
  }

  greeting(agent: Agent): string {
    return localize(agent.definition.greeting, languageOf(agent.definition.language));
  }

  async *reply(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<ReplyEvent> {
    this.requests.push(request);
    if (this.requests.length > 1_000) this.requests.shift();
    const turn = request.history.filter((one) => one.role === 'caller').length;
    const reply = this.replies[Math.min(turn, this.replies.length - 1)];
    if (!reply || signal.aborted) return;
    yield { type: 'text', text: reply.text, language: languageOf(request.agent.definition.language) };
    if (reply.action && !signal.aborted) yield { type: 'action', action: reply.action };
  }

  expects(): ReplyExpectation {
    return EXPECTS;
  }

  async close(): Promise<void> {}
}
