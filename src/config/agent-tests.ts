import { existsSync } from 'node:fs';
import type { Static } from '@sinclair/typebox';
import type { AgentDefinition } from '../core/agent.ts';
import {
  type AgentTests,
  type CallerDoing,
  TESTS_CHARS_MAX,
  type TestAfter,
  type TestDialogue,
  type TestExpectation,
} from '../core/agent-tests.ts';
import { CALL_RESULTS } from '../core/call-result.ts';
import { OperatorError } from '../core/errors.ts';
import { type Notice, notice } from '../core/notice.ts';
import { AgentTestsSchema } from './agent-tests-schema.ts';
import { closest, Problems } from './problems.ts';
import { unknown } from './references.ts';
import { type ProblemList, readText, YamlFile, type YamlPath } from './yaml-file.ts';

type WrittenDialogue = Static<typeof AgentTestsSchema>['dialogues'][number];
type WrittenStep = WrittenDialogue['steps'][number];
type WrittenExpectation = NonNullable<WrittenStep['agent']>;

/** Understood by every agent, without a line in its file. */
const EVERYONES = [
  ...['human', 'repeat', 'cancel', 'goodbye', 'hello', 'thanks', 'how-are-you', 'who-are-you', 'help', 'wait'],
  ...['complaint', 'none'],
];
const ENDING = /\.ya?ml$/u;
const TESTS_ENDING = /\.tests\.ya?ml$/u;

/** Whether a file of an agents folder holds tests, and no agent. */
export const isTestsFile = (path: string): boolean => TESTS_ENDING.test(path);

/** Where the tests of an agent file stand: `clinic.yaml`, `clinic.tests.yaml`. */
export const testsPathOf = (agentPath: string): string => agentPath.replace(ENDING, (ending) => `.tests${ending}`);
export const agentPathOf = (testsPath: string): string => testsPath.replace(/\.tests(?=\.ya?ml$)/u, '');

/** What is wrong with a text, and where. */
export interface TestsProblem {
  readonly line: number; // from 1; 0 for the whole
  readonly field: string;
  /** A text where it comes from elsewhere. */
  readonly said: string | Notice;
}

export interface AgentTestsFile {
  readonly path: string;
  readonly text: string;
  readonly tests: AgentTests;
}

/** The tests beside an agent file; undefined where there are none. @throws OperatorError with every problem, by file and line. */
export function loadAgentTests(
  agent: { readonly path: string; readonly definition: AgentDefinition },
  cwd = process.cwd(),
): AgentTestsFile | undefined {
  const path = testsPathOf(agent.path);
  if (!existsSync(path)) return undefined;
  const problems = new Problems(cwd);
  const text = readText(path, problems);
  const tests = testsOf(new YamlFile(path, problems, text), text, agent.definition);
  problems.throwIfAny();
  return { path, text, tests: tests! };
}

/** The same of a text that comes from elsewhere than a file; problems name field and line. */
export function readAgentTests(
  text: string,
  definition: AgentDefinition,
): { readonly tests: AgentTests } | { readonly problems: readonly TestsProblem[] } {
  const found: TestsProblem[] = [];
  const problems: ProblemList = {
    get count() {
      return found.length;
    },
    add: (_file, line, field, said) => void found.push({ line, field, said }),
  };
  const tests = testsOf(new YamlFile('tests', problems, text.slice(0, TESTS_CHARS_MAX + 1)), text, definition);
  return tests && found.length === 0 ? { tests } : { problems: found };
}

function testsOf(file: YamlFile, text: string, definition: AgentDefinition): AgentTests | undefined {
  if (text.length > TESTS_CHARS_MAX) {
    file.problems.add(file.path, 0, '', notice('tests.too-long', { max: TESTS_CHARS_MAX, got: text.length }));
    return undefined;
  }
  const written = file.read(AgentTestsSchema);
  if (!written) return undefined;
  const names = new Set<string>();
  const known = knownTo(definition);
  return {
    dialogues: written.dialogues.map((dialogue, index) => {
      const path = ['dialogues', index];
      if (names.has(dialogue.name)) {
        file.problem([...path, 'name'], notice('reference.name-twice', { name: dialogue.name }));
      }
      names.add(dialogue.name);
      return dialogueOf(file, dialogue, path, known);
    }),
  };
}

interface Known {
  readonly intents: readonly string[];
  readonly slots: readonly string[];
  /** Undefined where nothing is written down of calls. */
  readonly after: { readonly outcomes: readonly string[]; readonly fields: readonly string[] } | undefined;
}

function knownTo({ intents = [], flows = [], knowledge = [], belongsTo = {}, afterCall }: AgentDefinition): Known {
  const questions = knowledge.flatMap(({ question }) => [question.en?.[0], question.ar?.[0]]);
  return {
    intents: [...intents.map(({ name }) => name), ...EVERYONES, ...questions.filter((one) => one !== undefined)],
    slots: [
      ...new Set([
        ...flows.flatMap(({ slots }) => slots.map(({ name }) => name)),
        ...Object.values(belongsTo).map(({ column }) => column),
      ]),
    ],
    after: afterCall && {
      outcomes: [...(afterCall.outcomes ?? []).map(({ name }) => name), ...CALL_RESULTS],
      fields: (afterCall.fields ?? []).map(({ name }) => name),
    },
  };
}

function dialogueOf(file: YamlFile, written: WrittenDialogue, path: YamlPath, known: Known): TestDialogue {
  const { name, language, now, variables = {}, tools = [] } = written;
  if (now !== undefined && !isMoment(now))
    file.problem([...path, 'now'], notice('tests.no-such-moment', { moment: now }));
  if (!written.steps.some(({ agent }) => agent)) file.problem(path, notice('tests.nothing-expected'));
  const steps = written.steps.map((step, index) => {
    const at = [...path, 'steps', index];
    const doings = DOINGS.filter((key) => step[key] !== undefined);
    if (doings.length > 1) file.problem(at, notice('tests.two-doings', { doings: doings.join(' and ') }));
    if (doings.length === 0 && !step.agent) file.problem(at, notice('tests.no-doing', { doings: DOINGS.join(', ') }));
    const [doing] = doings;
    return {
      line: file.lineOf(at),
      ...(doing && { doing: doingOf(doing, step) }),
      ...(step.agent && { expected: expectationOf(file, step.agent, [...at, 'agent'], known) }),
    };
  });
  const after = written.after && afterOf(file, written.after, [...path, 'after'], known);
  const given = { ...(language && { language }), ...(now !== undefined && { now }), ...(after && { after }) };
  return { name, line: file.lineOf(path), ...given, variables, tools, steps };
}

function afterOf(
  file: YamlFile,
  { outcome, fields = {} }: NonNullable<WrittenDialogue['after']>,
  path: YamlPath,
  { after }: Known,
): TestAfter {
  if (!after) file.problem(path, notice('tests.nothing-written-down'));
  else {
    if (outcome !== undefined && !after.outcomes.includes(outcome)) {
      file.problem([...path, 'outcome'], unknown('wanted.outcome', outcome, after.outcomes));
    }
    for (const name of Object.keys(fields)) {
      if (!after.fields.includes(name))
        file.problem([...path, 'fields', name], unknown('wanted.field', name, after.fields));
    }
  }
  return { line: file.lineOf(path), ...(outcome !== undefined && { outcome }), fields };
}

const DOINGS = ['caller', 'keys', 'silence', 'interrupt', 'mishears', 'noise'] as const;

function doingOf(doing: (typeof DOINGS)[number], step: WrittenStep): CallerDoing {
  switch (doing) {
    case 'caller':
      return { type: 'caller', says: step.caller! };
    case 'keys':
      return { type: 'keys', keys: step.keys! };
    case 'silence':
      return { type: 'silence', ms: msOf(step.silence!) };
    case 'noise':
      return { type: 'noise', ms: msOf(step.noise!) };
    case 'interrupt':
      return { type: 'interrupt', afterMs: step.interrupt!.after_ms, says: step.interrupt!.says };
    case 'mishears': {
      const { says, heard, confidence = 1 } = step.mishears!;
      return { type: 'mishears', says, heard, confidence };
    }
  }
}

function expectationOf(file: YamlFile, written: WrittenExpectation, path: YamlPath, known: Known): TestExpectation {
  const { intent, slot = {}, action, within_ms: withinMs } = written;
  const matches = listOf(written.matches);
  matches.forEach((pattern, index) => {
    const fault = patternFault(pattern);
    if (fault !== undefined) {
      const place = typeof written.matches === 'string' ? 'matches' : `matches[${index}]`;
      file.problem([...path, 'matches'], notice('tests.pattern', { place, error: fault }));
    }
  });
  // Documents come and go without a version of the agent.
  const isDocument = intent?.startsWith('document:') === true;
  if (intent !== undefined && !isDocument && !known.intents.includes(intent)) {
    const wanted = notice('wanted.agent-intent');
    const meant = closest(intent, known.intents);
    const said = { wanted, got: intent };
    file.problem(
      [...path, 'intent'],
      meant === undefined ? notice('reference.unknown', said) : notice('reference.unknown-meant', { ...said, meant }),
    );
  }
  for (const name of Object.keys(slot)) {
    if (known.slots.includes(name)) continue;
    file.problem([...path, 'slot', name], unknown('wanted.agent-slot', name, known.slots));
  }
  return {
    line: file.lineOf(path),
    ...{ contains: listOf(written.contains), notContains: listOf(written.not_contains), matches, slots: slot },
    ...(intent !== undefined && { intent }),
    ...(action && { action }),
    ...(withinMs !== undefined && { withinMs }),
  };
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

function msOf(duration: string): number {
  const [, count, unit] = /^([\d.]+) ?(ms|s)$/.exec(duration)!;
  return Math.round(Number(count) * (unit === 's' ? 1_000 : 1));
}

function patternFault(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'iu');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether a day of that name exists: JavaScript makes the first of March of the thirtieth of February. */
function isMoment(text: string): boolean {
  const [day = '', time = ''] = text.split('T');
  const at = new Date(`${day}T${time.slice(0, 5)}:00Z`);
  return !Number.isNaN(at.getTime()) && !Number.isNaN(Date.parse(text)) && at.toISOString().startsWith(day);
}

/** @throws OperatorError where there is no file. */
export function requireTests(agent: { readonly path: string; readonly definition: AgentDefinition }): AgentTestsFile {
  const found = loadAgentTests(agent);
  if (found) return found;
  throw new OperatorError(`${agent.definition.name} has no tests: they are looked for in ${testsPathOf(agent.path)}`);
}
