import { basename, resolve } from 'node:path';
import { runAsText } from '../agent-tests/text-run.ts';
import { agentPathOf, isTestsFile, requireTests } from '../config/agent-tests.ts';
import { type AgentFile, loadAgents } from '../config/agents.ts';
import { loadVoices } from '../config/voices.ts';
import type { Agent } from '../core/agent.ts';
import { type AgentTests, type DialogueResult, firstFault, type TestTurn } from '../core/agent-tests.ts';
import { systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import type { CommandContext } from './context.ts';
import type { TestsToHold } from './desk/desk.ts';
import { emit, harmless, type Output, paint, seconds } from './output.ts';
import { shownPath } from './pronunciation.ts';
import { textRunDeps } from './text-run-deps.ts';

export interface AgentTestOptions {
  readonly voice?: boolean;
  /** Names of dialogues. */
  readonly only?: readonly string[];
}

/**
 * Holds the dialogues of an agent file with it, as text or by voice, and tells what differs.
 *
 * @param which - number or name of an agent of the agent files, its file, or the file of its tests.
 * @returns whether none has failed, and some were held: what was skipped has shown nothing.
 */
export async function testAgent(context: CommandContext, which: string, options: AgentTestOptions): Promise<boolean> {
  const file = agentFileOf(context, which);
  const { tests, path, text } = requireTests(file);
  const { voice = false, only } = options;
  requireNamed(tests, only, path);
  const startMs = systemClock.nowMs();
  const wish = only && { only };
  const hold = context.far ? context.far.hold : (held: TestsToHold) => holdHere(context, held);
  const { definition, number } = file;
  const results = await hold({ definition, number, yaml: text, tests, voice, ...wish });
  const count = (outcome: DialogueResult['outcome']): number => results.filter((one) => one.outcome === outcome).length;
  const summary = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
  const durationMs = Math.round(systemClock.nowMs() - startMs);
  const json = {
    ...{ agent: file.definition.name, file: path, mode: voice ? 'voice' : 'text', ...summary, duration_ms: durationMs },
    dialogues: results.map(resultJson),
  };
  emit(context.out, json, () => {
    for (const result of results) writeResult(context.out, result, shownPath({ ...file, path }));
    const { passed, failed, skipped } = summary;
    if (passed + failed === 0) context.out.write('Nothing was held.\n');
    const words = [`${passed} passed`, `${failed} failed`, ...(skipped > 0 ? [`${skipped} skipped`] : [])].join(', ');
    context.out.write(`${paint(context.out, failed > 0 ? 'red' : 'green', words)} in ${seconds(durationMs)}\n`);
  });
  return summary.failed === 0 && summary.passed > 0;
}

async function holdHere(context: CommandContext, held: TestsToHold): Promise<readonly DialogueResult[]> {
  const { definition, number, tests, voice, only } = held;
  const wish = only && { only };
  const agent: Agent = {
    ...{ id: 'agt_tested', accountId: 'acc_tested', version: 1, status: 'live', definition, updatedAt: new Date(0) },
  };
  if (!voice) return runAsText(agent, tests, textRunDeps(context), wish);
  const { runByVoice } = await import('./agents-test-voice.ts');
  return runByVoice(context, tests, { agent, number, ...wish });
}

function agentFileOf({ config: { paths } }: CommandContext, which: string): AgentFile {
  const voices = loadVoices(paths.voicesFile);
  if (/\.ya?ml$/u.test(which)) {
    const path = resolve(which);
    return loadAgents(isTestsFile(path) ? agentPathOf(path) : path, voices)[0]!;
  }
  const files = loadAgents(paths.agentsDir, voices);
  const wanted = which.toLowerCase();
  const found = files.find(({ number, path, definition }) =>
    [number, definition.name.toLowerCase(), basename(path).replace(/\.ya?ml$/u, '')].includes(wanted),
  );
  if (found) return found;
  const known = files.map(({ number, definition }) => `${number} (${definition.name})`).join(', ');
  throw new OperatorError(`No agent ${which} in ${paths.agentsDir}; there are: ${known || 'none'}`);
}

function requireNamed({ dialogues }: AgentTests, only: readonly string[] | undefined, path: string): void {
  const missing = only?.find((name) => !dialogues.some((one) => one.name === name));
  if (missing === undefined) return;
  throw new OperatorError(`There is no dialogue "${missing}" in ${path}`);
}

/** One dialogue as programs read it. */
export function resultJson({ durationMs, turns, ...result }: DialogueResult): object {
  return {
    ...result,
    first_fault: firstFault({ durationMs, turns, ...result }) ?? null,
    duration_ms: durationMs,
    turns: turns.map(({ expected, ms, did, intents, ...turn }) => ({
      ...{ ...turn, caller: did, intent: intents, ms: ms ?? null },
      ...(expected && { expected }),
    })),
  };
}

const MARKS = { passed: ['green', 'ok  '], failed: ['red', 'FAIL'], skipped: ['yellow', 'skip'] } as const;

function writeResult(out: Output, result: DialogueResult, file: string): void {
  const { outcome, name, line, durationMs, why, turns } = result;
  const [color, mark] = MARKS[outcome];
  const time = outcome === 'skipped' ? '' : `  ${paint(out, 'dim', `${durationMs} ms`)}`;
  out.write(`${paint(out, color, mark)}  ${harmless(name)}${time}${why ? `: ${harmless(why)}` : ''}\n`);
  if (outcome !== 'failed') return;
  for (const turn of turns) writeTurn(out, turn);
  for (const { faults, line: at } of turns) {
    for (const { expected, got } of faults) {
      out.write(`      ${file}:${at} expected ${harmless(expected)}\n`);
      out.write(`      ${' '.repeat(`${file}:${at}`.length)} ${paint(out, 'red', `got ${harmless(got)}`)}\n`);
    }
  }
  if (turns.every(({ faults }) => faults.length === 0)) out.write(`      ${file}:${line}\n`);
}

function writeTurn(out: Output, { did, heard, reply, action, intents, slots }: TestTurn): void {
  if (did !== '') out.write(`      ${paint(out, 'yellow', 'caller')}  ${harmless(did)}\n`);
  if (heard !== undefined && heard !== did) {
    out.write(
      `      ${paint(out, 'yellow', 'heard')}   ${heard === '' ? paint(out, 'dim', 'nothing') : harmless(heard)}\n`,
    );
  }
  const held = Object.entries(slots).map(([name, value]) => `${name}=${value}`);
  const facts = [...intents, ...held].join(', ');
  const end = action === 'none' ? '' : paint(out, 'yellow', ` [${action}]`);
  const why = facts === '' ? '' : paint(out, 'dim', `  (${harmless(facts)})`);
  if (did !== '' || reply !== '') out.write(`      ${paint(out, 'green', 'agent')}   ${harmless(reply)}${end}${why}\n`);
}
