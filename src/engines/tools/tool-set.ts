import type { Agent } from '../../core/agent.ts';
import type { AgentTool, ToolSource } from './contract.ts';
import { type HttpToolDeps, httpModelTool } from './http-model-tool.ts';

export interface ToolSetDeps extends HttpToolDeps {
  /** Tools of MCP servers. */
  readonly servers?: ToolSource;
}

/** No model is given more. */
const TOOLS_MAX = 32;

/** The tools of agents: those of their files, and those of the servers they name. */
export class ToolSet implements ToolSource {
  readonly #own = new WeakMap<Agent['definition'], readonly AgentTool[]>();

  constructor(private readonly deps: ToolSetDeps) {}

  toolsOf(agent: Agent): readonly AgentTool[] {
    const { definition } = agent;
    const own = this.#own.get(definition) ?? (definition.tools ?? []).map((tool) => httpModelTool(tool, this.deps));
    this.#own.set(definition, own);
    const theirs = definition.mcp === undefined ? [] : (this.deps.servers?.toolsOf(agent) ?? []);
    const names = new Set(own.map(({ name }) => name));
    return [...own, ...theirs.filter(({ name }) => !names.has(name))].slice(0, TOOLS_MAX);
  }
}
