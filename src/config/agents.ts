import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentAction,
  type AgentDefinition,
  type FlowDefinition,
  type Language,
  languageOf,
  personOf,
  type SlotDefinition,
} from '../core/agent.ts';
import { errorText } from '../core/errors.ts';
import { notice } from '../core/notice.ts';
import { checkAfterCall } from './after-call-rules.ts';
import { AgentFileSchema } from './agent-schema.ts';
import { meaningsOf, readSentences, sentencesPath } from './agent-sentences.ts';
import { isTestsFile } from './agent-tests.ts';
import { textAfter } from './agent-text/agent-text.ts';
import { Problems } from './problems.ts';
import { type Refuse, unique, unknown } from './references.ts';
import { checkHeaders, checkTools } from './tool-rules.ts';
import type { VoiceCatalogue } from './voices.ts';
import { readText, YamlFile, type YamlPath } from './yaml-file.ts';

export interface AgentFile {
  readonly number: string;
  readonly definition: AgentDefinition;
  readonly path: string;
  /** The file as a text of the definition: without its number, and with its sentences; undefined where that is too long. */
  readonly text: () => string | undefined;
  /** Where a field of the definition stands in the file. */
  readonly lineOf: (path: YamlPath) => number;
}

const AGENT_FILES_MAX = 1000;

/**
 * Every agent of a folder (`*.yaml`, in order of file name), or the one of a file, checked for shape and for sense: what it
 * refers to exists.
 *
 * @throws OperatorError that lists every problem of every file.
 */
export function loadAgents(place: string, voices: VoiceCatalogue, cwd = process.cwd()): AgentFile[] {
  const problems = new Problems(cwd);
  const agents: AgentFile[] = [];
  const fileOfNumber = new Map<string, string>();
  const isOne = /\.ya?ml$/u.test(place);
  for (const name of isOne ? [place] : agentFileNames(place, problems)) {
    const file = new YamlFile(isOne ? place : join(place, name), problems);
    const written = file.read(AgentFileSchema);
    if (!written) continue;
    const { number, sentencesFile, ...inFile } = written;
    const definition = sentencesFile === undefined ? inFile : withSentences(inFile, file.path, sentencesFile, problems);
    const other = fileOfNumber.get(number);
    if (other) file.problem(['number'], `expected a number of its own, got ${number}, which ${other} has`);
    fileOfNumber.set(number, name);
    checkAgent(definition, voices, (path, said) => file.problem(path, said));
    agents.push({
      ...{ number, definition, path: file.path },
      text: () => textAfter(file.text, definition),
      lineOf: (path) => file.lineOf(path),
    });
  }
  problems.throwIfAny();
  return agents;
}

function withSentences(
  definition: AgentDefinition,
  agentPath: string,
  name: string,
  problems: Problems,
): AgentDefinition {
  const path = sentencesPath(agentPath, name);
  const refuse = (line: number, message: string): void => problems.add(path, line, '', message);
  return { ...definition, sentences: readSentences(readText(path, problems), refuse) };
}

/** The sense of a definition that has the right shape; also for definitions that come from elsewhere than a file. */
export function checkAgent(agent: AgentDefinition, voices: VoiceCatalogue, refuse: Refuse): void {
  const language = languageOf(agent.language);
  checkVoices(agent, voices, language, refuse);
  if (!agent.greeting[language])
    refuse(['greeting'], notice('agent.no-greeting', { language: notice(`language.${language}`) }));
  if (agent.onGiveUp === 'transfer' && !personOf(agent)) {
    refuse(['onGiveUp'], notice('agent.nobody-to-transfer-to'));
  }
  for (const name of ['complaint', 'emergency'] as const) {
    const action = agent.routes?.[name]?.action;
    if (action) checkAction(agent, action, undefined, ['routes', name, 'action'], refuse);
  }
  checkOwners(agent, refuse);
  const meanings = meaningsOf(agent);
  for (const meant of Object.keys(agent.sentences ?? {}))
    if (!meanings.includes(meant)) refuse(['sentences', meant], unknown('wanted.meaning', meant, meanings));
  const flows = agent.flows ?? [];
  const intents = agent.intents ?? [];
  unique(flows, ['flows'], refuse);
  unique(intents, ['intents'], refuse);
  flows.forEach((flow, index) => {
    checkFlow(agent, flow, ['flows', index], refuse);
  });
  intents.forEach((intent, index) => {
    const path = ['intents', index];
    if (!intent.answer && !intent.flow && !intent.action) refuse(path, notice('agent.intent-without-answer'));
    const names = flows.map((flow) => flow.name);
    if (intent.flow && !names.includes(intent.flow))
      refuse([...path, 'flow'], unknown('wanted.flow', intent.flow, names));
    if (intent.action) checkAction(agent, intent.action, undefined, [...path, 'action'], refuse);
  });
  checkTools(agent, refuse, (parameter, path) => checkSlot({ prompts: {}, ...parameter }, path, refuse));
  checkAfterCall(agent, refuse);
}

/** Owners of tables that exist, known by a column that every row has. */
function checkOwners({ belongsTo = {}, tables = {} }: AgentDefinition, refuse: Refuse): void {
  for (const [table, { column, callerColumn }] of Object.entries(belongsTo)) {
    const path = ['belongsTo', table];
    const rows = Object.hasOwn(tables, table) ? tables[table] : undefined;
    if (!rows) refuse(path, unknown('wanted.table', table, Object.keys(tables)));
    for (const [field, name] of Object.entries({ column, callerColumn })) {
      const without = name === undefined ? -1 : (rows ?? []).findIndex((row) => !Object.hasOwn(row, name));
      if (without >= 0) refuse([...path, field], notice('agent.column-missing', { column: name ?? '' }));
    }
  }
}

function checkVoices(agent: AgentDefinition, voices: VoiceCatalogue, own: Language, refuse: Refuse): void {
  const wanted: [YamlPath, string | undefined, Language][] = [
    [['voice'], agent.voice, own],
    [['voices', 'ar'], agent.voices?.ar, 'ar'],
    [['voices', 'en'], agent.voices?.en, 'en'],
  ];
  for (const [path, id, language] of wanted) {
    if (id === undefined) continue;
    const voice = voices.get(id);
    if (!voice) refuse(path, unknown('wanted.voice', id, voices.ids));
    else if (languageOf(voice.language) !== language) {
      const wants = { language: notice(`language.${language}`), voice: id, spoken: voice.language };
      refuse(path, notice('agent.voice-language', wants));
    } else if (!voice.supportedModels.includes(agent.model)) {
      const models = voice.supportedModels.join(', ');
      refuse(path, notice('agent.voice-model', { model: agent.model, voice: id, models }));
    }
  }
}

function checkFlow(agent: AgentDefinition, flow: FlowDefinition, path: YamlPath, refuse: Refuse): void {
  unique(flow.slots, [...path, 'slots'], refuse);
  flow.slots.forEach((slot, index) => {
    checkSlot(slot, [...path, 'slots', index], refuse);
  });
  flow.actions.forEach((action, index) => {
    checkAction(agent, action, flow, [...path, 'actions', index], refuse);
  });
}

function checkSlot(slot: SlotDefinition, path: YamlPath, refuse: Refuse): void {
  if (slot.type === 'choice' && !slot.choices) refuse(path, notice('agent.no-choices'));
  if (slot.choices) checkChoices(slot, [...path, 'choices'], refuse);
  if (slot.constraints) checkConstraints(slot, [...path, 'constraints'], refuse);
  const { minDigits, maxDigits } = slot;
  const countsDigits = slot.type === 'digits' || slot.type === 'phone' || slot.type === 'number';
  for (const field of ['minDigits', 'maxDigits'] as const) {
    if (slot[field] !== undefined && !countsDigits)
      refuse([...path, field], notice('agent.not-for-type', { field, type: slot.type }));
  }
  if (minDigits !== undefined && maxDigits !== undefined && minDigits > maxDigits) {
    const over = { limit: 'maxDigits', most: maxDigits, got: minDigits };
    refuse([...path, 'minDigits'], notice('agent.above-limit', over));
  }
}

function checkChoices(slot: SlotDefinition, path: YamlPath, refuse: Refuse): void {
  if (slot.type !== 'choice' && slot.type !== 'yesno') {
    refuse(path, notice('agent.not-for-type', { field: 'choices', type: slot.type }));
  }
  const values = new Set<string>();
  slot.choices?.forEach(({ value }, index) => {
    if (values.has(value)) refuse([...path, index, 'value'], notice('agent.choice-twice', { value }));
    values.add(value);
    if (slot.type === 'yesno' && value !== 'yes' && value !== 'no')
      refuse([...path, index, 'value'], notice('agent.not-yes-or-no', { value }));
  });
}

/** Rules for a date on a date, for a time on a time; and such as some value can keep. */
function checkConstraints({ type, constraints = {} }: SlotDefinition, path: YamlPath, refuse: Refuse): void {
  const { earliestDays, latestDays, closed, from, to } = constraints;
  for (const [owner, fields] of Object.entries(RULES_OF)) {
    for (const field of type === owner ? [] : fields) {
      if (constraints[field] !== undefined) refuse([...path, field], notice('agent.not-for-type', { field, type }));
    }
  }
  if (earliestDays !== undefined && latestDays !== undefined && earliestDays > latestDays) {
    const over = { limit: 'latestDays', most: latestDays, got: earliestDays };
    refuse([...path, 'earliestDays'], notice('agent.above-limit', over));
  }
  if (from !== undefined && from === to) refuse([...path, 'to'], notice('agent.never-open', { time: to }));
  closed?.forEach((day, index) => {
    const time = Date.parse(`${day}T00:00:00Z`);
    const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
    if (!isReal) refuse([...path, 'closed', index], notice('agent.no-such-day', { day }));
  });
}
const RULES_OF = { date: ['days', 'earliestDays', 'latestDays', 'closed'], time: ['from', 'to'] } as const;

/** `flow`: the flow it ends; undefined for the action of an intent, where slots of any flow may already be known. */
function checkAction(
  agent: AgentDefinition,
  action: AgentAction,
  flow: FlowDefinition | undefined,
  path: YamlPath,
  refuse: Refuse,
): void {
  if (action.type === 'transfer' && !action.target && !personOf(agent)) {
    refuse(path, notice('agent.no-target'));
  }
  if (action.type === 'http') checkHeaders(action.headers, [...path, 'headers'], refuse);
  if (action.type !== 'lookup') return;
  const tables = Object.keys(agent.tables ?? {});
  if (!tables.includes(action.table)) refuse([...path, 'table'], unknown('wanted.table', action.table, tables));
  const flows = flow ? [flow] : (agent.flows ?? []);
  const slots = flows.flatMap((each) => each.slots.map((slot) => slot.name));
  if (!slots.includes(action.key)) refuse([...path, 'key'], unknown('wanted.slot', action.key, slots));
  const rows = agent.tables?.[action.table] ?? [];
  const without = rows.findIndex((row) => !Object.hasOwn(row, action.key));
  if (without >= 0)
    refuse(['tables', action.table, without], notice('agent.key-column-missing', { column: action.key }));
}

function agentFileNames(dir: string, problems: Problems): string[] {
  try {
    const names = readdirSync(dir).filter((name) => /\.ya?ml$/u.test(name) && !isTestsFile(name));
    if (names.length > AGENT_FILES_MAX)
      problems.add(dir, 0, '', `holds ${names.length} agents, ${AGENT_FILES_MAX} are read`);
    return names.sort().slice(0, AGENT_FILES_MAX);
  } catch (error) {
    problems.add(dir, 0, '', `cannot be read: ${errorText(error)}`);
    return [];
  }
}
