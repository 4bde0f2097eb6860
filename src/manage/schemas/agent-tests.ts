import { type Static, Type } from '@sinclair/typebox';
import type { TestsProblem } from '../../config/agent-tests.ts';
import type { TestExpectation, TestTurn } from '../../core/agent-tests.ts';
import {
  type AgentTests,
  DIALOGUES_MAX,
  type DialogueResult,
  firstFault,
  TESTS_CHARS_MAX,
} from '../../core/agent-tests.ts';
import { noticeOf, sentence, textOf } from '../../core/notice.ts';
import type { AgentTestsRow, TestRunRow } from '../../store/agent-tests.ts';
import { NoticeShape, named, oneOf, orNull, presentNotice, timestamp } from '../schema-names.ts';
import { LEFT_BEHIND_MS } from '../test-desk.ts';
import { Definition } from './agents.ts';

const Text = Type.String();
const Line = Type.Integer({ description: 'Of the text, from 1.' });
const ACTIONS = ['transfer', 'hangup', 'none'] as const;
const OUTCOMES = ['passed', 'failed', 'skipped'] as const;

const Expected = named(
  'TestExpectation',
  Type.Object({
    contains: Type.Array(Text),
    not_contains: Type.Array(Text),
    matches: Type.Array(Text, { description: 'Regular expressions.' }),
    intent: orNull(Text),
    slot: Type.Record(Text, Text),
    action: orNull(oneOf(ACTIONS)),
    within_ms: orNull(Type.Integer()),
  }),
);
const DialogueShape = Type.Object({
  name: Text,
  line: Line,
  language: orNull(oneOf(['ar', 'en'] as const)),
  now: orNull(Text),
  variables: Type.Record(Text, Text),
  steps: Type.Array(
    Type.Object({
      line: Line,
      kind: oneOf(['caller', 'keys', 'silence', 'interrupt', 'mishears', 'noise', 'agent'] as const),
      caller: Type.String({
        description: 'What the caller does, in words; empty where the last answer is judged further.',
      }),
      expected: orNull(Expected),
    }),
  ),
  after: orNull(
    Type.Object(
      { line: Line, outcome: orNull(Text), fields: Type.Record(Text, Text) },
      { description: 'What is to be written down of it.' },
    ),
  ),
});
const Problem = Type.Object({
  line: Type.Integer({ description: 'Of the text, from 1; 0 for the whole.' }),
  field: Type.String({ description: 'Such as `dialogues[0].steps[2].agent.intent`.' }),
  message: Text,
  notice: orNull(NoticeShape),
});

export const Yaml = Type.String({
  maxLength: TESTS_CHARS_MAX,
  description: 'A file of dialogues; empty for none.',
});
export const TestsShape = named(
  'AgentTests',
  Type.Object({
    yaml: Yaml,
    dialogues: Type.Array(DialogueShape),
    problems: Type.Array(Problem, {
      description: 'With the agent as it is now: it may have changed since they were saved.',
    }),
    required: Type.Boolean({ description: 'Nothing of the agent takes calls that does not hold them.' }),
    updated_at: orNull(timestamp('Null where none were ever saved.')),
  }),
);
export const CheckShape = Type.Object({
  ok: Type.Boolean(),
  problems: Type.Array(Problem),
  dialogues: Type.Array(DialogueShape),
});
export const TestsBody = Type.Object(
  {
    yaml: Type.Optional(Yaml),
    required: Type.Optional(Type.Boolean({ description: 'Refuse to publish what does not hold them.' })),
  },
  { minProperties: 1 },
);
export const CheckBody = Type.Object({ yaml: Yaml, definition: Type.Optional(Definition) });
export const RunBody = Type.Object({
  mode: Type.Optional(
    oneOf(['text', 'voice'] as const, 'By telephone where it says so: the live version, and charged like any call.'),
  ),
  only: Type.Optional(
    Type.Array(Type.String({ maxLength: 120 }), {
      minItems: 1,
      maxItems: DIALOGUES_MAX,
      description: 'Names of dialogues.',
    }),
  ),
  yaml: Type.Optional(Yaml),
  definition: Type.Optional(Definition),
});

const Turn = Type.Object({
  step: Type.Integer({ description: 'From 1.' }),
  line: Line,
  caller: Text,
  heard: orNull(
    Type.String({
      description: 'What was understood of words that were spoken; empty for nothing, null where none were.',
    }),
  ),
  reply: Text,
  intent: Type.Array(Text),
  slots: Type.Record(Text, Text),
  action: oneOf(ACTIONS),
  ms: orNull(Type.Number({ description: 'To the beginning of the answer; of spoken runs on the wire.' })),
  expected: orNull(Expected),
  faults: Type.Array(
    Type.Object({
      kind: oneOf([
        'contains',
        'not_contains',
        'matches',
        'intent',
        'slot',
        'action',
        'within_ms',
        'call',
        'after',
      ] as const),
      expected: Text,
      expected_notice: orNull(NoticeShape),
      got: Text,
      got_notice: orNull(NoticeShape),
    }),
  ),
});
const Result = Type.Object({
  name: Text,
  line: Line,
  outcome: oneOf(OUTCOMES),
  why: orNull(Type.String({ description: 'Why it was skipped, or broke off.' })),
  why_notice: orNull(NoticeShape),
  first_fault: orNull(Type.String({ description: 'The first turn that differs, in a sentence.' })),
  duration_ms: Type.Integer(),
  turns: Type.Array(Turn, { description: 'Up to the first with a fault.' }),
});
const RUN = {
  id: Text,
  agent_id: Text,
  agent_version: orNull(Type.Integer({ description: 'Null where it was of something that was not saved.' })),
  mode: oneOf(['text', 'voice'] as const),
  trigger: oneOf(['asked', 'publish'] as const),
  state: oneOf(
    ['running', 'passed', 'failed', 'broken'] as const,
    'Broken: it could not be held to the end. Skipped dialogues have not failed.',
  ),
  why: orNull(Text),
  why_notice: orNull(NoticeShape),
  total: Type.Integer({ description: 'Dialogues to be held.' }),
  passed: Type.Integer(),
  failed: Type.Integer(),
  skipped: Type.Integer(),
  started_at: timestamp(),
  ended_at: orNull(timestamp()),
  duration_ms: orNull(Type.Integer()),
};
export const RunHead = named('AgentTestRunHead', Type.Object(RUN));
export const RunShape = named('AgentTestRun', Type.Object({ ...RUN, dialogues: Type.Array(Result) }));

const presentExpected = (one: TestExpectation): Static<typeof Expected> => ({
  ...{ contains: [...one.contains], not_contains: [...one.notContains], matches: [...one.matches] },
  ...{ intent: one.intent ?? null, slot: one.slots, action: one.action ?? null, within_ms: one.withinMs ?? null },
});

export const presentDialogues = (
  { dialogues }: AgentTests,
  doneText: (doing: NonNullable<AgentTests['dialogues'][number]['steps'][number]['doing']>) => string,
): Static<typeof DialogueShape>[] =>
  dialogues.map(({ name, line, language, now, variables, steps, after }) => ({
    ...{ name, line, language: language ?? null, now: now ?? null, variables },
    steps: steps.map(({ line: at, doing, expected }) => ({
      ...{ line: at, kind: doing?.type ?? ('agent' as const), caller: doing ? doneText(doing) : '' },
      expected: expected ? presentExpected(expected) : null,
    })),
    after: after ? { line: after.line, outcome: after.outcome ?? null, fields: { ...after.fields } } : null,
  }));

export const presentProblems = (problems: readonly TestsProblem[]): Static<typeof Problem>[] =>
  problems.map(({ line, field, said }) => ({ line, field, message: textOf(said), notice: presentNotice(said) }));

export const testsTag = (row: AgentTestsRow | undefined): string => `"${row?.revision ?? 0}"`;

export function presentRunHead(row: TestRunRow, now: Date): Static<typeof RunHead> {
  const count = (outcome: DialogueResult['outcome']): number =>
    row.results.filter((one) => one.outcome === outcome).length;
  const lost = row.state === 'running' && now.getTime() - row.startedAt.getTime() > LEFT_BEHIND_MS[row.mode];
  const why = lost ? sentence('run.gateway-ended') : row.why;
  return {
    ...{ id: row.id, agent_id: row.agentId, agent_version: row.agentVersion, mode: row.mode, trigger: row.trigger },
    ...{
      state: lost ? 'broken' : row.state,
      why,
      why_notice: why === null ? null : (noticeOf(why, 'run') ?? null),
      total: row.dialogues,
    },
    ...{ passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
    ...{ started_at: row.startedAt.toISOString(), ended_at: row.endedAt?.toISOString() ?? null },
    duration_ms: row.endedAt ? row.endedAt.getTime() - row.startedAt.getTime() : null,
  };
}

export const presentRun = (row: TestRunRow, now: Date): Static<typeof RunShape> => ({
  ...presentRunHead(row, now),
  dialogues: row.results.map((result) => ({
    ...{ name: result.name, line: result.line, outcome: result.outcome, why: result.why ?? null },
    why_notice: result.why === undefined ? null : (noticeOf(result.why, 'run') ?? null),
    ...{
      first_fault: firstFault(result) ?? null,
      duration_ms: result.durationMs,
      turns: result.turns.map(presentTurn),
    },
  })),
});

const presentTurn = (turn: TestTurn): Static<typeof Turn> => ({
  ...{
    step: turn.step,
    line: turn.line,
    caller: turn.did,
    heard: turn.heard ?? null,
    reply: turn.reply,
    intent: [...turn.intents],
  },
  ...{ slots: turn.slots, action: turn.action, ms: turn.ms ?? null },
  expected: turn.expected ? presentExpected(turn.expected) : null,
  faults: turn.faults.map(({ kind, expected, got }) => ({
    ...{ kind, expected, expected_notice: noticeOf(expected, 'fault') ?? null },
    ...{ got, got_notice: noticeOf(got, 'fault') ?? null },
  })),
});
