import {
  type AgentDefinition,
  type FieldDefinition,
  languageOf,
  type OutcomeDefinition,
  type SlotDefinition,
} from '../../core/agent.ts';
import type { AnalysedField, CallAnalysis } from '../../core/call-analysis.ts';
import { stemsOf } from '../../language/beginnings.ts';
import type { CalendarDay } from '../../language/calendar/calendar.ts';
import { languageOfText } from '../../language/detect-language.ts';
import { fold } from '../../language/fold.ts';
import { digitRuns } from '../../language/number-words.ts';
import { sentencesOf } from '../../language/sentences.ts';
import { readSlotText } from '../../language/values/slot-filling.ts';
import { wordsOf } from '../../language/words.ts';
import type { ToldTurn } from './call-tally.ts';
import type { CallClaim } from './contract.ts';

const SUMMARY_SENTENCES_MAX = 3;
const SUMMARY_CHARS_MAX = 600;
const VALUE_CHARS_MAX = 300;
/** Share of the longer words of a text that what it rests on must hold. */
const SUPPORTED_SHARE = 0.5;
/** Shorter numbers are counts and hours, which summaries word anew. */
const NUMBER_DIGITS_MIN = 3;
const NUMBERS_EQUAL = new Set(['digits', 'phone', 'number', 'date', 'time', 'yesno']);

/** What was said, to look claims up in. */
interface Said {
  readonly turns: readonly ToldTurn[];
  readonly day: CalendarDay;
  readonly definition: AgentDefinition;
}

/**
 * What of a claim is let in beside what the dialogue knows: an outcome that somebody's words say and nothing that was done is
 * against, values that their words hold, a summary of what was said. What was done stays as it was done.
 */
export function believed(base: CallAnalysis, claim: CallClaim, said: Said, by: string): CallAnalysis {
  const { outcomes = [], fields = [], summary: wanted = false } = said.definition.afterCall ?? {};
  const outcome = believedOutcome(base, claim, outcomes, said);
  const known = new Set(base.fields.map(({ name }) => name));
  const found = fields.filter(({ name }) => !known.has(name)).flatMap((field) => believedField(field, claim, said));
  const summary = wanted ? believedSummary(claim, said) : undefined;
  if (outcome === undefined && found.length === 0 && summary === undefined) return base;
  const { label: _, ...rest } = base;
  const all = [...base.fields, ...found];
  return {
    ...(outcome === undefined ? base : rest),
    ...(outcome && { outcome: outcome.name, ...(outcome.label && { label: outcome.label }) }),
    ...(summary !== undefined && { summary }),
    fields: fields.flatMap(({ name }) => all.filter((one) => one.name === name)),
    by,
  };
}

/** One that only words can tell; it goes before what it stands before in the agent's list, and before the plain results. */
function believedOutcome(
  base: CallAnalysis,
  claim: CallClaim,
  outcomes: readonly OutcomeDefinition[],
  said: Said,
): OutcomeDefinition | undefined {
  const at = outcomes.findIndex(({ name }) => name === claim.outcome);
  const outcome = outcomes[at];
  if (!outcome || outcome.done || outcome.result || outcome.name === base.outcome) return undefined;
  const before = outcomes.findIndex(({ name }) => name === base.outcome);
  if (before >= 0 && before < at) return undefined;
  return turnOf(claim.words, said, 'caller') ? outcome : undefined;
}

function believedField(field: FieldDefinition, { fields }: CallClaim, said: Said): AnalysedField[] {
  const claimed = fields.find(({ name }) => name === field.name);
  const turn = claimed && turnOf(claimed.words, said);
  if (!claimed || !turn) return [];
  const value = heldBy(
    claimed.words,
    claimed.value.slice(0, VALUE_CHARS_MAX).trim(),
    slotOf(field, said.definition),
    said.day,
  );
  if (value === undefined) return [];
  const { name, label } = field;
  return [{ name, ...(label && { label }), value, turn: turn.index, words: claimed.words.slice(0, VALUE_CHARS_MAX) }];
}

/** The value as it is written, where the words do hold it. */
function heldBy(words: string, value: string, slot: SlotDefinition, day: CalendarDay): string | undefined {
  if (value === '') return undefined;
  if (NUMBERS_EQUAL.has(slot.type)) {
    const heard = readSlotText(words, slot, day)?.value;
    return heard !== undefined && heard === (readSlotText(value, slot, day)?.value ?? value) ? heard : undefined;
  }
  if (slot.type === 'choice') {
    const choice = slot.choices?.find((one) => one.value === value);
    if (!choice) return undefined;
    const heard = readSlotText(words, slot, day)?.value;
    return heard === undefined || heard === value ? value : undefined;
  }
  if (slot.type === 'name') {
    const heard = wordsOf(words).map(({ text }) => text);
    return wordsOf(value).every(({ text }) => heard.includes(text)) ? value : undefined;
  }
  return isSupported(value, words) ? value : undefined;
}

/** The slot of the flow that the field is of; one made up for a field of its own. */
function slotOf(
  { name, type, from = name, choices }: FieldDefinition,
  { flows = [], country }: AgentDefinition,
): SlotDefinition {
  const own = flows.flatMap(({ slots }) => slots).find((slot) => slot.name === from && slot.type === type);
  return {
    ...{ prompts: {}, ...(country !== undefined && { country }) },
    ...(own ?? { name, type, ...(choices && { choices: choices.map((value) => ({ value, say: {} })) }) }),
  };
}

/** Sentences of the agent's language whose numbers were said, and whose words are those of the call. */
function believedSummary({ summary }: CallClaim, { turns, definition }: Said): string | undefined {
  const sentences = sentencesOf(summary.slice(0, SUMMARY_CHARS_MAX).trim());
  const text = sentences.join(' ');
  if (text === '' || sentences.length > SUMMARY_SENTENCES_MAX) return undefined;
  if (languageOfText(text) !== languageOf(definition.language)) return undefined;
  const call = turns.map((turn) => turn.text).join('\n');
  const said = turns.flatMap((turn) => numbersIn(turn.text)).join(' ');
  if (!numbersIn(text).every((digits) => said.includes(digits))) return undefined;
  return isSupported(text, call) ? text : undefined;
}

/** Numbers of three digits and more, written or said. */
function numbersIn(text: string): string[] {
  const runs = digitRuns(wordsOf(text).map((word) => word.text));
  return runs.map(({ digits }) => digits).filter((digits) => digits.length >= NUMBER_DIGITS_MIN);
}

/** Says yes where the two are of different scripts: their words cannot be compared. */
function isSupported(text: string, source: string): boolean {
  if (languageOfText(text) !== languageOfText(source)) return true;
  const known = new Set(stemsOf(source));
  const said = stemsOf(text);
  return said.filter((stem) => known.has(stem)).length >= said.length * SUPPORTED_SHARE;
}

/** The turn in which these words stand, one after the other. */
function turnOf(words: string, { turns }: Said, role?: ToldTurn['role']): ToldTurn | undefined {
  const wanted = fold(words);
  if (wanted === '') return undefined;
  return turns.find(
    (turn) => (role === undefined || turn.role === role) && ` ${fold(turn.text)} `.includes(` ${wanted} `),
  );
}
