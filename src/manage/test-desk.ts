import { readAgentTests, type TestsProblem } from '../config/agent-tests.ts';
import type { Agent, AgentDefinition } from '../core/agent.ts';
import { type AgentTests, type DialogueResult, firstFault } from '../core/agent-tests.ts';
import { type Clock, delay } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { type Notice, notice, sentence } from '../core/notice.ts';
import type { AgentTestRows, TestRunRow } from '../store/agent-tests.ts';
import { andMore, ManageError } from './manage-error.ts';

export interface RunWish {
  /** Names of dialogues; all without it. */
  readonly only?: readonly string[];
  readonly signal: AbortSignal;
  readonly told: (result: DialogueResult) => void;
}
/** Holds dialogues with an agent. Rejects where that cannot be begun, with the reason. */
export type HoldTests = (agent: Agent, tests: AgentTests, wish: RunWish) => Promise<readonly DialogueResult[]>;

export interface TestDeskDeps {
  readonly rows: AgentTestRows;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly asText: HoldTests;
  /** By telephone, with this gateway; undefined where it has none. */
  readonly byVoice?: (yaml: string, ...held: Parameters<HoldTests>) => ReturnType<HoldTests>;
}

export interface TestWish {
  readonly mode: 'text' | 'voice';
  readonly trigger: TestRunRow['trigger'];
  readonly only?: readonly string[];
  readonly yaml: string;
  readonly tests: AgentTests;
  /** What is tested is no version of the agent. */
  readonly unsaved: boolean;
}

/** Runs that wait for the one that goes on: of either mode, on this gateway. */
const WAITING_MAX = 8;
/** A run answers at once where it is over so soon. */
const SHORT_MS = 8_000;
/** A run that goes on for longer than any may was left behind by a gateway that ended. */
export const LEFT_BEHIND_MS = { text: 10 * 60_000, voice: 4 * 3_600_000 } as const;

/** Runs the tests of agents, one at a time by text and one by voice, and keeps what came of it. */
export class TestDesk {
  readonly #closing = new AbortController();
  readonly #lanes = { text: new Lane(), voice: new Lane() };
  readonly #running = new Set<Promise<unknown>>();

  constructor(private readonly deps: TestDeskDeps) {}

  /** @throws ManageError `invalid_tests` with the first problem, its line and field, and how many more there are. */
  read(yaml: string, definition: AgentDefinition): AgentTests {
    if (yaml.trim() === '') return { dialogues: [] };
    const read = readAgentTests(yaml, definition);
    if ('tests' in read) return read.tests;
    throw new ManageError('invalid_tests', problemsText(read.problems));
  }

  /** Everything that is wrong with a text. */
  check(
    yaml: string,
    definition: AgentDefinition,
  ): { readonly tests: AgentTests; readonly problems: readonly TestsProblem[] } {
    if (yaml.trim() === '') return { tests: { dialogues: [] }, problems: [] };
    const read = readAgentTests(yaml, definition);
    return 'tests' in read ? { ...read, problems: [] } : { tests: { dialogues: [] }, ...read };
  }

  /**
   * Begins a run. @returns it when it is over, or as it is after a few seconds: then it goes on.
   * @throws ManageError `not_possible` where too many wait, there is nothing to run, or no telephone to do it by.
   */
  async run(agent: Agent, wish: TestWish): Promise<TestRunRow> {
    const { begun, ended } = await this.#begin(agent, wish);
    if (wish.mode === 'text') {
      const waited = new AbortController();
      await Promise.race([ended, delay(this.deps.clock, SHORT_MS, waited.signal)]);
      waited.abort();
    }
    return (await this.deps.rows.run(begun.accountId, begun.agentId, begun.id)) ?? begun;
  }

  /**
   * Where the agent may only take calls with dialogues that it holds: holds them.
   *
   * @param agent - as it would take calls.
   * @throws ManageError `tests_failed` with the first dialogue and turn that differ.
   */
  async requirePassing(agent: Agent): Promise<void> {
    const kept = await this.deps.rows.get(agent.accountId, agent.id);
    if (!kept?.required) return;
    const { tests, problems } = this.check(kept.yaml, agent.definition);
    if (problems.length > 0) throw new ManageError('tests_failed', problemsText(problems));
    if (tests.dialogues.length === 0) throw new ManageError('tests_failed', notice('refused.tests-needed'));
    const wish = { mode: 'text', trigger: 'publish', yaml: kept.yaml, tests, unsaved: true } as const;
    const { begun, ended } = await this.#begin(agent, wish);
    await ended;
    const row = await this.deps.rows.run(begun.accountId, begun.agentId, begun.id);
    if (row?.state === 'passed') return;
    const faults = row?.results.map(firstFault).filter((one) => one !== undefined) ?? [];
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
    throw new ManageError('tests_failed', `${faults[0] ?? row?.why ?? sentence('refused.tests-not-run')}${more}`);
  }

  /** Runs that go on end. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#running);
  }

  async #begin(agent: Agent, wish: TestWish): Promise<{ begun: TestRunRow; ended: Promise<void> }> {
    const { tests, mode, only, trigger, unsaved } = wish;
    const { rows, clock, byVoice } = this.deps;
    const dialogues = only ? tests.dialogues.filter(({ name }) => only.includes(name)) : tests.dialogues;
    const missing = only?.find((name) => !tests.dialogues.some((one) => one.name === name));
    if (missing !== undefined) throw new ManageError('unknown_resource', `dialogue ${missing.slice(0, 100)}`);
    if (dialogues.length === 0) throw new ManageError('not_possible', notice('refused.no-tests'));
    if (mode === 'voice' && !byVoice) throw new ManageError('not_possible', notice('refused.no-voice-tests'));
    const lane = this.#lanes[mode];
    if (lane.waiting >= WAITING_MAX) throw new ManageError('not_possible', notice('refused.tests-wait'));
    const place = lane.take();
    try {
      const begun = await rows.begin({
        ...{ agentId: agent.id, accountId: agent.accountId, agentVersion: unsaved ? null : agent.version },
        ...{ mode, trigger, dialogues: dialogues.length, startedAt: clock.utc() },
      });
      const ended = this.#hold(begun, agent, wish, place);
      this.#running.add(ended);
      void ended.finally(() => this.#running.delete(ended));
      return { begun, ended };
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  /** Never rejects. */
  async #hold(begun: TestRunRow, agent: Agent, wish: TestWish, place: Place): Promise<void> {
    const { rows, clock, asText, byVoice, logger } = this.deps;
    const { mode, yaml, tests, only } = wish;
    const done: DialogueResult[] = [];
    const told = (result: DialogueResult): void => {
      done.push(result);
      if (mode === 'voice') rows.progress(begun.id, done).catch(() => undefined); // the next one tells more
    };
    const held = { ...(only && { only }), signal: this.#closing.signal, told };
    try {
      await place.turn;
      let why: string | undefined;
      try {
        if (mode === 'text') await asText(agent, tests, held);
        else await byVoice!(yaml, agent, tests, held);
      } catch (error) {
        why = errorText(error);
      }
      if (done.length > 0 && done.every(({ outcome }) => outcome === 'skipped'))
        why ??= sentence('run.nothing-held', { why: done[0]!.why ?? '' });
      if (this.#closing.signal.aborted) why = sentence('run.stopped-gateway');
      const failed = done.some(({ outcome }) => outcome === 'failed');
      const state = why !== undefined ? 'broken' : failed ? 'failed' : 'passed';
      await rows.end(begun.id, { state, ...(why !== undefined && { why }), results: done, endedAt: clock.utc() });
    } catch (error) {
      logger.warn({ error: errorText(error) }, 'what came of the tests of an agent could not be kept');
    } finally {
      place.leave();
    }
  }
}

function problemsText([first, ...more]: readonly TestsProblem[]): Notice {
  const { line, field, said: problem } = first!;
  const placed =
    line === 0
      ? notice('problem.at', { field: field || 'tests', problem })
      : field === ''
        ? notice('problem.at-line', { line, problem })
        : notice('problem.at-line-of', { line, field, problem });
  return andMore(placed, more.length);
}

interface Place {
  /** Resolves when those before have left. */
  readonly turn: Promise<void>;
  leave(): void;
}

/** One after another. */
class Lane {
  waiting = 0; // with the one whose turn it is
  #last: Promise<void> = Promise.resolve();

  take(): Place {
    this.waiting += 1;
    const turn = this.#last;
    let leave = (): void => {};
    this.#last = new Promise<void>((resolve) => {
      leave = () => {
        this.waiting -= 1;
        resolve();
      };
    }).then(() => turn);
    return { turn, leave };
  }
}
