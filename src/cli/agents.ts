import { resolve } from 'node:path';
import type { AgentFinding } from '../config/agent-meaning.ts';
import { loadAgentTests } from '../config/agent-tests.ts';
import { type AgentFile, loadAgents } from '../config/agents.ts';
import { loadVoices } from '../config/voices.ts';
import { fieldName } from '../config/yaml-file.ts';
import { OperatorError } from '../core/errors.ts';
import { textOf } from '../core/notice.ts';
import { checkMeaning } from '../manage/agent-check.ts';
import { findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import type { ImportedAgent } from './desk/desk.ts';
import { emit, type Output, paint, table } from './output.ts';
import { checkPronunciation, pronunciationJson, shownPath, writePronunciation } from './pronunciation.ts';

export function listAgents(context: CommandContext, options: { account?: string }): Promise<void> {
  return context.withDesk(async (desk) => {
    const account = await findAccount(desk, options.account);
    const agents = await desk.agents.list(account.id);
    emit(context.out, agents, () =>
      table(
        context.out,
        ['id', 'name', 'numbers', 'language', 'voice', 'status', 'version'],
        agents.map((a) => [a.id, a.name, a.numbers.join(' ') || '-', a.language, a.voice, a.status, String(a.version)]),
      ),
    );
  });
}

/**
 * Reads the agent files of a folder, or one, without touching the database. What cannot be read is refused with file and line;
 * of what can, everything is listed that will not work as it was meant; tests beside it are read, and not run. Words that a voice may mispronounce are shown.
 *
 * @returns whether nothing is wrong; warnings are nothing wrong.
 */
export function validateAgents(context: CommandContext, place: string | undefined): boolean {
  const files = read(context, place);
  const tests = files.map((file) => loadAgentTests(file));
  const { httpTools, mcp } = context.config.engines;
  const meant = files.map((file) => {
    const findings = checkMeaning(file.definition, httpTools.allowedHosts, Object.keys(mcp));
    return { file, findings: findings.sort((a, b) => file.lineOf(a.path) - file.lineOf(b.path)) };
  });
  const checked = checkPronunciation(context, files);
  const isFine = (findings: readonly AgentFinding[]): boolean => findings.every(({ severity }) => severity !== 'error');
  const json = meant.map(({ file, findings }, index) => ({
    ...{ number: file.number, name: file.definition.name, ok: isFine(findings) },
    findings: findings.map(({ severity, path, said }) => ({
      ...{ severity, file: shownPath(file), line: file.lineOf(path), field: fieldName(path) },
      ...{ message: textOf(said), notice: said },
    })),
    tests: tests[index]?.tests.dialogues.length ?? 0,
    pronunciation: pronunciationJson(checked[index]!),
  }));
  emit(context.out, json, () => {
    table(
      context.out,
      ['number', 'name', 'language', 'intents', 'flows', 'tests'],
      files.map(({ number, definition }, index) => [
        ...[number, definition.name, definition.language],
        ...[String(definition.intents?.length ?? 0), String(definition.flows?.length ?? 0)],
        String(tests[index]?.tests.dialogues.length ?? 0),
      ]),
    );
    for (const { file, findings } of meant) writeFindings(context.out, file, findings);
    writePronunciation(context.out, checked);
  });
  return meant.every(({ findings }) => isFine(findings));
}

function writeFindings(out: Output, file: AgentFile, findings: readonly AgentFinding[]): void {
  if (findings.length > 0) out.write('\n');
  for (const { severity, path, said } of findings) {
    const mark = severity === 'error' ? paint(out, 'red', 'error') : paint(out, 'yellow', 'warning');
    out.write(`${shownPath(file)}:${file.lineOf(path)} ${fieldName(path)}: ${mark}: ${textOf(said)}\n`);
  }
}

/**
 * Makes each file the current version of the agent of that name, new or known, live at once, and the tests beside it those of the
 * agent; where they are required and one fails, it stops there. A number of another account is
 * left to it, and nothing is imported, unless the operator says `take`.
 */
export function importAgents(
  context: CommandContext,
  folder: string | undefined,
  options: { account?: string; take?: boolean },
): Promise<void> {
  const files = read(context, folder);
  const tests = files.map((file) => loadAgentTests(file));
  return context.withDesk(async (desk) => {
    const account = await findAccount(desk, options.account);
    const { take = false } = options;
    const wanted = files.map(({ number }) => number);
    const taken = take ? [] : await desk.agents.numbersElsewhere(account.id, wanted);
    if (taken.length > 0) throw numbersTaken(taken);
    const done: ImportedAgent[] = [];
    for (const [index, file] of files.entries()) {
      const { number, definition } = file;
      const wanted = { definition, text: file.text(), number, tests: tests[index]?.text, take };
      const agent = await desk.agents.import(account.id, wanted);
      if (agent === 'number-taken') throw numbersTaken([number]);
      done.push(agent);
    }
    const checked = checkPronunciation(context, files);
    const json = done.map((agent, index) => ({ ...agent, pronunciation: pronunciationJson(checked[index]!) }));
    emit(context.out, json, () => {
      table(
        context.out,
        ['id', 'name', 'number', 'version'],
        done.map((d) => [d.id, d.name, d.number, String(d.version)]),
      );
      writePronunciation(context.out, checked);
    });
  });
}

function numbersTaken(numbers: readonly string[]): OperatorError {
  const what = numbers.length === 1 ? `Number ${numbers[0]} belongs` : `Numbers ${numbers.join(', ')} belong`;
  return new OperatorError(`${what} to another account. Choose others in the agent files, or take them with --take.`);
}

function read(context: CommandContext, folder: string | undefined): readonly AgentFile[] {
  const { paths } = context.config;
  return loadAgents(resolve(folder ?? paths.agentsDir), loadVoices(paths.voicesFile));
}
