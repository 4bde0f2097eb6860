import type { Agent } from '../core/agent.ts';
import { ServiceError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { sentence } from '../core/notice.ts';
import { failoverReply } from './failover.ts';
import type { ReplyHedge } from './hedge.ts';
import { hedgedReply } from './hedged-reply.ts';
import { askForKeys } from './privacy/protected-reply.ts';
import type { EngineRegistry } from './registry.ts';
import type { NoteTaking, ReplyEngine, ReplyEvent } from './reply/contract.ts';

const notConfigured = (engine = ''): string => sentence('engine.agent-names-none', { engine });

/**
 * The configured reply engines, in order of fallback; an agent that names its own (`replyEngine`) is answered by that
 * one first, then by those of the configured ones that send nothing out of the gateway.
 */
export class ReplyByAgent implements ReplyEngine {
  readonly name: string;
  readonly #configured: ReplyEngine;
  readonly #chosen = new Map<string, ReplyEngine>();

  constructor(
    private readonly registry: EngineRegistry<ReplyEngine>,
    private readonly names: readonly string[],
    private readonly remoteNames: ReadonlySet<string>,
    private readonly logger: Logger,
    private readonly hedge?: ReplyHedge,
  ) {
    this.#configured = this.#chain(names);
    this.name = this.#configured.name;
  }

  available(): ReturnType<ReplyEngine['available']> {
    return this.#configured.available();
  }

  /** Why this agent cannot answer now, or that it can. */
  availableFor(agent: Agent): ReturnType<ReplyEngine['available']> {
    const { replyEngine } = agent.definition;
    if (this.#serves(replyEngine)) return this.#of(agent).available(agent);
    return { ok: false, why: notConfigured(replyEngine) };
  }

  greeting(...[agent, variables, mode]: Parameters<ReplyEngine['greeting']>): string {
    return this.#of(agent).greeting(agent, variables, mode);
  }
  async *reply(...[request, signal]: Parameters<ReplyEngine['reply']>): AsyncGenerator<ReplyEvent> {
    const { replyEngine } = request.agent.definition;
    if (!this.#serves(replyEngine))
      throw new ServiceError('unavailable', '', { cause: new Error(notConfigured(replyEngine)) });
    yield* this.#of(request.agent).reply(request, signal);
  }
  expects(...[agent, history, variables]: Parameters<ReplyEngine['expects']>): ReturnType<ReplyEngine['expects']> {
    return this.#of(agent).expects(agent, history, variables);
  }
  takesNote(agent: Agent, note: string): NoteTaking {
    return this.#of(agent).takesNote?.(agent, note) ?? 'no';
  }

  /** The engines belong to the registry. */
  async close(): Promise<void> {}

  #serves(name: string | undefined): boolean {
    return name === undefined || this.registry.names.includes(name);
  }

  #of({ definition: { replyEngine } }: Agent): ReplyEngine {
    if (replyEngine === undefined || !this.#serves(replyEngine)) return this.#configured;
    const known = this.#chosen.get(replyEngine);
    if (known) return known;
    const chain = this.#chain([replyEngine, ...this.names.filter((name) => !this.remoteNames.has(name))]);
    this.#chosen.set(replyEngine, chain); // bounded by the names there are
    return chain;
  }

  /** What is asked over a network may be late; what answers here is not. */
  #chain(names: readonly string[]): ReplyEngine {
    const engines = this.registry.list(names);
    const [first, second] = engines;
    const { hedge, remoteNames } = this;
    const hedged = first && second && hedge && remoteNames.has(first.name);
    const asked = hedged ? [hedgedReply(first, second, hedge), ...engines.slice(1)] : engines;
    return askForKeys(failoverReply(asked, this.logger));
  }
}
