import type { Agent } from '../core/agent.ts';
import type { AgentDocuments } from './document/contract.ts';
import type { EngineMember } from './engine-member.ts';
import type { EngineLimits, GuardDeps } from './guard.ts';
import { EngineGuard } from './guard.ts';
import { guardRemoteReply, guardReply } from './guarded-engines.ts';
import { ReplyHedge } from './hedge.ts';
import { modelTools } from './model-tools.ts';
import { type ChatServerSettings, chatClientOf } from './openai/chat-server.ts';
import {
  protectProposals,
  protectReply,
  type RemoteProposer,
  type RemoteReplyEngine,
} from './privacy/protected-reply.ts';
import { EngineRegistry } from './registry.ts';
import { agreeingAgent } from './reply/agreeing-agent.ts';
import { agreeingReply } from './reply/agreeing-reply.ts';
import { CompiledAgents } from './reply/compiled-agent.ts';
import type { ReplyEngine } from './reply/contract.ts';
import { OpenaiReply } from './reply/openai.ts';
import { railedReply } from './reply/railed-reply.ts';
import { createScriptedReplyEngine, DEFAULT_LIMITS, type ScriptedReplyDeps } from './reply/scripted-dialogue.ts';
import type { Fetcher } from './reply/tool-fetcher.ts';
import { RecentCalls } from './reply/tool-turn.ts';
import { withPassages } from './reply/with-passages.ts';
import { ReplyByAgent } from './reply-by-agent.ts';
import { MODEL_TOOL_LIMITS, type ModelToolLimits, type ToolSource } from './tools/contract.ts';
import { ToolSet } from './tools/tool-set.ts';
import { usedMetric } from './used-metric.ts';

/** What of `engines` in the configuration answers callers. */
export interface ReplyChoice {
  readonly reply: readonly string[]; // in order of preference
  readonly openai?: ChatServerSettings;
  readonly limits: { readonly reply: EngineLimits };
  /** Whether the next engine is asked too where a service is late with its first words. */
  readonly hedgeReplies?: boolean;
  /** Of what models call. */
  readonly modelTools?: ModelToolLimits;
}

export interface ReplySetDeps extends GuardDeps {
  readonly fetcher?: Fetcher; // HTTP tools of agents
  readonly servers?: ToolSource; // MCP servers
  readonly onTurn?: ScriptedReplyDeps['onTurn']; // every turn that the rules decided
  readonly agents?: CompiledAgents; // made ready with somebody else who needs them too
  readonly documents?: AgentDocuments;
  /** Longest wait for what documents say; default as a caller waits. */
  readonly documentsMs?: number;
}

type MakeRemote = (choice: ReplyChoice, deps: ReplySetDeps) => RemoteReplyEngine & RemoteProposer;
/** Engines that send texts to a service. Their type fits nowhere but behind the privacy boundary. */
const REMOTE_REPLIES: Readonly<Record<string, MakeRemote>> = {
  openai: ({ openai }, { clock, logger, metrics }) => {
    const client = chatClientOf(openai, { clock, logger, used: usedMetric(metrics, 'reply', 'openai') });
    return new OpenaiReply(client, openai!.proposalMs);
  },
};

/** The reply engines of the gateway, each behind its guard, in their order of fallback. */
export class ReplySet {
  private constructor(
    readonly engine: ReplyByAgent,
    private readonly registry: EngineRegistry<ReplyEngine>,
    private readonly agents: CompiledAgents,
    private readonly names: readonly string[], // in order of preference
    private readonly documents: AgentDocuments | undefined,
    private readonly tools: ToolSource,
    private readonly guards: ReadonlyMap<string, EngineGuard>,
  ) {}

  static open(choice: ReplyChoice, deps: ReplySetDeps): ReplySet {
    const { clock, logger, fetcher, servers, onTurn, agents = new CompiledAgents(), documents } = deps;
    const { documentsMs = DEFAULT_LIMITS.documentsMs } = deps;
    const guards = new Map<string, EngineGuard>(); // of those that were made
    const guard = (name: string, place?: 'remote'): EngineGuard => {
      const made = new EngineGuard('reply', name, choice.limits.reply, deps, place);
      guards.set(name, made);
      return made;
    };
    const limits = choice.modelTools ?? MODEL_TOOL_LIMITS;
    const tools = new ToolSet({ clock, limits, ...(fetcher && { fetcher }), ...(servers && { servers }) });
    const { fillerAfterMs } = limits;
    const dialogue = {
      ...{ clock, agents, tools, limits: { documentsMs, fillerAfterMs }, calls: new RecentCalls(clock) },
      ...{ ...(fetcher && { fetcher }), ...(onTurn && { onTurn }), ...(documents && { documents }) },
    };
    const registry = new EngineRegistry<ReplyEngine>('engines.reply').register('scripted', () => {
      const scripted = createScriptedReplyEngine(dialogue);
      const guarded = guardReply(scripted, guard('scripted'));
      return agreeingReply(guarded, scripted, tools, guarded);
    });
    for (const [name, make] of Object.entries(REMOTE_REPLIES)) {
      if (!choice.openai?.chatModel && !choice.reply.includes(name)) continue;
      registry.register(name, () => {
        const remote = guardRemoteReply(make(choice, deps), guard(name, 'remote'));
        const railed = createScriptedReplyEngine({ ...dialogue, proposer: protectProposals(remote) });
        const toolsOf = modelTools(tools, limits, railed, clock);
        const talk = protectReply(remote, registry.get('scripted'), toolsOf);
        return railedReply(name, railed, documents ? withPassages(talk, documents, documentsMs) : talk, tools);
      });
    }
    const hedge = choice.hedgeReplies ? new ReplyHedge(clock, deps.metrics) : undefined;
    return new ReplySet(
      new ReplyByAgent(registry, choice.reply, new Set(Object.keys(REMOTE_REPLIES)), logger, hedge),
      registry,
      agents,
      choice.reply,
      documents,
      tools,
      guards,
    );
  }

  /** Every one that is configured or may be named by agents, by itself. */
  members(): readonly EngineMember[] {
    const { registry, names } = this;
    return registry.names.map((engine) => ({
      ...{ capability: 'reply' as const, engine, place: engine in REMOTE_REPLIES ? 'remote' : 'local' },
      order: names.includes(engine) ? names.indexOf(engine) + 1 : undefined,
      ...{ made: () => registry.made(engine), get: () => registry.get(engine) },
      retry: async () => this.guards.get(engine)?.retry(),
    }));
  }

  /** Compiles an agent in steps, unless it is; never rejects, for what is wrong with it is told when it is asked. */
  async prepare(agent: Agent): Promise<void> {
    this.documents?.prepare(agent);
    await this.agents.prepare(agent).catch(() => {});
    const agreeing = agreeingAgent(agent, this.tools);
    if (agreeing) await this.agents.prepare(agreeing).catch(() => {});
  }

  close(): Promise<void> {
    return this.registry.close();
  }
}
