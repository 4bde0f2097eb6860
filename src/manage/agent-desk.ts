import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { readDefinition } from '../config/agent-definition.ts';
import { starterDefinition } from '../config/agent-template.ts';
import { textAfter, textWith } from '../config/agent-text/agent-text.ts';
import { readYaml } from '../config/agent-text/yaml-document.ts';
import type { FieldProblem } from '../config/references.ts';
import type { VoiceCatalogue } from '../config/voices.ts';
import { fieldName } from '../config/yaml-file.ts';
import type { Agent, AgentDefinition, Language } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import { type Notice, notice } from '../core/notice.ts';
import type { CompiledAgents } from '../engines/reply/compiled-agent.ts';
import type { ReplyEngine, ReplyEvent, ReplyRequest } from '../engines/reply/contract.ts';
import type { TurnOutcome } from '../engines/reply/turn-draft.ts';
import type { ScriptReport } from '../engines/text/coverage/script-report.ts';
import { checkMeaning } from './agent-check.ts';
import { invalidDefinition, ManageError } from './manage-error.ts';

export interface AgentFindingView extends FieldProblem {
  readonly severity: 'error' | 'warning';
}
export interface AgentReport {
  readonly findings: readonly AgentFindingView[];
  /** Undefined where the definition cannot be read. */
  readonly pronunciation: ScriptReport | undefined;
}
export interface TriedTurn {
  readonly events: readonly ReplyEvent[];
  /** Undefined where a model answered by itself. */
  readonly why: TurnOutcome | undefined;
  readonly firstTextMs: number | undefined;
  readonly totalMs: number;
}

/** A definition to begin with. */
export interface AgentTemplate {
  readonly id: string;
  readonly origin: 'starter' | 'shipped';
  readonly definition: AgentDefinition;
}
/** Versions whose texts are known to say them. */
const SAID_MAX = 1_000;
const STARTER_NAMES = { en: 'New agent', ar: 'وكيل جديد' } as const;

/** Engines for trying agents out: their own, so that nobody's call waits for them. */
export interface TryEngine {
  readonly engine: Pick<ReplyEngine, 'reply' | 'greeting'>;
  /** Makes an agent ready in steps that hold nobody up. Never rejects. */
  prepare(agent: Agent): Promise<void>;
}

export interface AgentDeskDeps {
  readonly clock: Clock;
  /** What is tried is checked first, and most of what is checked was checked before it was edited. */
  readonly agents: Pick<CompiledAgents, 'prepare'>;
  readonly voices: VoiceCatalogue;
  readonly allowedHosts: readonly string[]; // of HTTP tools
  readonly servers?: readonly string[]; // MCP, by name
  readonly defaultVoices: Readonly<Record<Language, string>>;
  readonly pronunciation: (agent: AgentDefinition) => ScriptReport;
  /** @param onTurn - told of every turn that rules have decided, within the turn. */
  readonly openTryEngine: (onTurn: (outcome: TurnOutcome) => void) => TryEngine;
}

/** Reads, checks and tries agents; keeps nothing. */
export class AgentDesk {
  readonly #turn = new AsyncLocalStorage<{ why: TurnOutcome | undefined }>();
  /** Whether texts say their definitions, the longest unasked first. */
  readonly #said = new Map<string, boolean>();
  #engine: TryEngine | undefined;
  #shipped: readonly AgentDefinition[] = [];

  constructor(private readonly deps: AgentDeskDeps) {}

  /** Agents that came with this gateway: others are begun with them. */
  offer(shipped: readonly AgentDefinition[]): void {
    this.#shipped = shipped;
  }

  /** What a new agent is begun with: a small one in each language, then those that came with the gateway. */
  get templates(): readonly AgentTemplate[] {
    const starters = (['en', 'ar'] as const).map((language) => {
      const definition = starterDefinition(language, STARTER_NAMES[language], this.deps.defaultVoices[language]);
      return { id: `starter-${language}`, origin: 'starter' as const, definition };
    });
    const shipped = this.#shipped.map((definition, index) => ({
      ...{ id: `shipped-${index + 1}`, origin: 'shipped' as const, definition },
    }));
    return [...starters, ...shipped];
  }

  /** @throws ManageError `invalid_definition` with the first problem, and how many more there are. */
  read(value: unknown): AgentDefinition {
    const read = readDefinition(value, this.deps.voices);
    if ('definition' in read) return read.definition;
    throw invalidDefinition(read.problems, 'problem.of');
  }

  /**
   * What is to be saved: a definition, the text that says it, or both, and then the definition counts.
   *
   * @param before - the text that is kept until now: what a definition alone is put into.
   * @throws ManageError `invalid_definition`.
   */
  readWritten(
    { definition, yaml }: { readonly definition?: unknown; readonly yaml?: string | undefined },
    before?: string,
  ): { readonly definition: AgentDefinition; readonly yaml: string | undefined } {
    const read = this.read(definition === undefined ? writtenValue(yaml) : definition);
    return { definition: read, yaml: textAfter(yaml ?? before, read) };
  }

  /** The text that was kept with a definition; null where there is none that says it. To look takes tens of milliseconds: it is remembered. */
  written(definition: AgentDefinition, yaml: string | undefined): string | null {
    if (yaml === undefined) return null;
    const key = createHash('sha256').update(yaml).update(JSON.stringify(definition)).digest('base64');
    const says = this.#said.get(key) ?? textWith(yaml, definition) !== undefined;
    this.#said.delete(key);
    this.#said.set(key, says);
    const [oldest] = this.#said.keys();
    if (this.#said.size > SAID_MAX && oldest !== undefined) this.#said.delete(oldest);
    return says ? yaml : null;
  }

  /** Everything that is wrong with a definition, or probably not meant, and what a voice may mispronounce. */
  async check(value: unknown): Promise<AgentReport> {
    const read = readDefinition(value, this.deps.voices);
    if ('problems' in read) {
      return { findings: read.problems.map((one) => ({ severity: 'error', ...one })), pronunciation: undefined };
    }
    const { definition } = read;
    const findings = checkMeaning(definition, this.deps.allowedHosts, this.deps.servers).map(
      ({ severity, path, said }) => ({
        ...{ severity, field: fieldName(path), said },
      }),
    );
    const problem = await this.#compileProblem(definition);
    return {
      findings: [
        ...findings,
        ...(problem === undefined ? [] : [{ severity: 'error' as const, field: '', said: problem }]),
      ],
      pronunciation: this.deps.pronunciation(definition),
    };
  }

  greeting(agent: Agent, variables: Readonly<Record<string, string>>): string {
    return this.#open().engine.greeting(agent, variables, 'voice');
  }

  /** What an agent would answer. Nothing is charged. @throws ServiceError of the engine. */
  async try(request: ReplyRequest, signal: AbortSignal): Promise<TriedTurn> {
    const { clock } = this.deps;
    const tried = this.#open();
    const { engine } = tried;
    await tried.prepare(request.agent);
    const startMs = clock.nowMs();
    const box: { why: TurnOutcome | undefined } = { why: undefined };
    let firstTextMs: number | undefined;
    const events = await this.#turn.run(box, async () => {
      const all: ReplyEvent[] = [];
      for await (const event of engine.reply(request, signal)) {
        if (event.type === 'text') firstTextMs ??= clock.nowMs() - startMs;
        all.push(event);
      }
      return all;
    });
    return { events, why: box.why, firstTextMs, totalMs: clock.nowMs() - startMs };
  }

  #open(): TryEngine {
    this.#engine ??= this.deps.openTryEngine((outcome) => {
      const box = this.#turn.getStore();
      if (box) box.why = outcome;
    });
    return this.#engine;
  }

  async #compileProblem(definition: AgentDefinition): Promise<Notice | undefined> {
    const agent: Agent = {
      ...{ id: 'agt_check', accountId: 'acc_check', version: 1, status: 'draft', definition, updatedAt: new Date(0) },
    };
    try {
      await this.deps.agents.prepare(agent);
      return undefined;
    } catch (error) {
      return notice('agent.unready', { error: errorText(error) });
    }
  }
}

/** @throws ManageError `invalid_definition` where it is no YAML, or nothing. */
function writtenValue(yaml = ''): unknown {
  const { value, problems } = readYaml(yaml);
  const [first] = problems;
  if (first)
    throw new ManageError('invalid_definition', notice('problem.at-line', { line: first.line, problem: first.notice }));
  return value;
}
