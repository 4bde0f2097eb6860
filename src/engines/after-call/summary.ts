import {
  type AgentDefinition,
  type Language,
  languageOf,
  localize,
  localizeList,
  type SlotDefinition,
} from '../../core/agent.ts';
import type { CallResult } from '../../core/call-result.ts';
import { dateValue, dayOf } from '../../language/calendar/calendar.ts';
import { choiceValue } from '../../language/values/choice.ts';
import { timeValue } from '../../language/values/time.ts';
import { yesNoValue } from '../../language/values/yesno.ts';
import type { CallTally, Goal } from './call-tally.ts';
import { ABOUT, AND, ASKED, JOINED, OCCASIONS, RESULTS, SEMICOLON, WITH_VALUES } from './summary-words.ts';

const WISHES_MAX = 3;
const VALUES_MAX = 8;
const VALUE_CHARS_MAX = 120;
/** Of a date it is said in which year it is: a record is read later. */
const LONG_AGO = { year: 1, month: 1, day: 1 };

/** What the call was about, and what came of it: one sentence or two, in the agent's language. */
export function summaryOf(
  definition: AgentDefinition,
  tally: CallTally,
  { result, goal }: { readonly result: CallResult; readonly goal: Goal | undefined },
): string {
  const language = languageOf(definition.language);
  const about = aboutOf(definition, tally, language);
  const came = goal && result === 'done' ? doneWith(definition, goal, language) : RESULTS[result][language];
  return about === '' ? came : `${about} ${JOINED[language]}${came}`;
}

function aboutOf(definition: AgentDefinition, tally: CallTally, language: Language): string {
  const flows = tally.goals.length > 0 ? tally.goals.map(({ flow }) => flow) : tally.begun;
  const wishes = [...new Set(flows.map((flow) => labelOf(definition, flow, language)))].filter((label) => label !== '');
  if (wishes.length > 0) return ABOUT[language].replace('{wish}', () => wishes.slice(-WISHES_MAX).join(AND[language]));
  const occasion = Object.keys(OCCASIONS).find((name) => tally.meant.includes(name));
  if (occasion !== undefined) return OCCASIONS[occasion]![language];
  const question = tally.questions.map((id) => questionOf(definition, id, language)).find((one) => one !== '');
  if (question === undefined) return '';
  return ASKED[language].replace('{question}', () => `${question}${language === 'ar' ? '؟' : '?'}`);
}

/** The label of the intent that begins a flow. */
function labelOf({ intents = [] }: AgentDefinition, flow: string, language: Language): string {
  return localize(intents.find((one) => one.flow === flow)?.label, language);
}

function questionOf({ knowledge = [], intents = [] }: AgentDefinition, id: string, language: Language): string {
  const [kind, name] = [id.slice(0, id.indexOf(':')), id.slice(id.indexOf(':') + 1)];
  if (kind === 'intent') return localize(intents.find((one) => one.name === name)?.label, language);
  return kind === 'knowledge' ? (localizeList(knowledge[Number(name)]?.question, language)[0] ?? '') : '';
}

function doneWith(definition: AgentDefinition, { flow, values }: Goal, language: Language): string {
  const slots = definition.flows?.find(({ name }) => name === flow)?.slots ?? [];
  const said = slots.flatMap((slot) => {
    const value = Object.hasOwn(values, slot.name) ? values[slot.name]!.value : '';
    return value === '' ? [] : [labelled(definition, slot, written(slot, value, language).slice(0, VALUE_CHARS_MAX))];
  });
  if (said.length === 0) return RESULTS.done[language];
  return WITH_VALUES[language].replace('{values}', () => said.slice(0, VALUES_MAX).join(SEMICOLON[language]));
}

/** As the value's field is called, where it has one. */
function labelled({ afterCall, language }: AgentDefinition, { name }: SlotDefinition, value: string): string {
  const field = afterCall?.fields?.find((one) => (one.from ?? one.name) === name);
  const label = localize(field?.label, languageOf(language));
  return label === '' ? value : `${label}: ${value}`;
}

/** A value as people write it. */
function written(slot: SlotDefinition, value: string, language: Language): string {
  const choice = slot.choices?.find((one) => one.value === value);
  if (choice) return choiceValue(choice).say[language];
  if (slot.type === 'yesno' && (value === 'yes' || value === 'no')) return yesNoValue(slot, value).say[language];
  if (slot.type === 'date') {
    const day = dayOf(value);
    return day ? dateValue(day, LONG_AGO).say[language] : value;
  }
  const time = slot.type === 'time' ? /^(\d{1,2}):(\d{2})$/.exec(value) : null;
  return time ? timeValue(Number(time[1]), Number(time[2])).say[language] : value;
}
