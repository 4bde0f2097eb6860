import { type AgentDefinition, type Language, languageOf, localize } from '../../core/agent.ts';
import { sentencesOf } from '../../language/sentences.ts';
import type { SlotValue } from '../../language/values/slot.ts';
import type { CompiledAgent } from './compiled-agent.ts';
import type { Turn } from './contract.ts';
import type { DialogueState } from './dialogue-state.ts';
import { fillAnswer } from './template.ts';
import { TurnDraft, type TurnSetting } from './turn-draft.ts';

/** A person listens to it while the caller waits. */
const HANDOVER_CHARS_MAX = 400;
const VALUES_MAX = 6;
/** Fewer words than that are an answer, not a wish. */
const WISH_WORDS_MIN = 3;

const WORDS = {
  opening: { en: 'A caller for you.', ar: 'عندي متصل لك.' },
  wish: { en: 'It is about', ar: 'الموضوع:' },
  values: { en: 'What I have so far:', ar: 'اللي عندي منه:' },
  done: { en: 'Done already:', ar: 'انتهينا من:' },
  said: { en: 'The caller said:', ar: 'قال المتصل:' },
} as const satisfies Record<string, Record<Language, string>>;

/**
 * What a person is told before they take a call over: the agent's own text where it has one and knows what that needs, else
 * the wish, the values so far and what was done.
 */
export function handoverOf(
  agent: CompiledAgent,
  state: DialogueState,
  setting: TurnSetting,
  history: readonly Turn[],
): string {
  const language = languageOf(agent.definition.language);
  const slots = { ...state.memory, ...state.slots, ...state.left?.slots };
  const own = localize(agent.definition.transfer?.whisper, language);
  const draft = new TurnDraft(agent, { ...state, language, slots }, setting);
  const filled = own === '' ? '' : fillAnswer(own, draft.lookup(language));
  return clipped(filled === '' ? summary(agent.definition, state, slots, language, history) : filled);
}

function summary(
  definition: AgentDefinition,
  state: DialogueState,
  slots: Readonly<Record<string, SlotValue>>,
  language: Language,
  history: readonly Turn[],
): string {
  const wish = labelOf(definition, state.left?.flow ?? state.flow, language);
  const done = labelOf(definition, state.lastDone?.flow, language);
  const values = Object.values(slots).map(({ say }) => say[language]);
  const parts: string[] = [WORDS.opening[language]];
  if (wish) parts.push(`${WORDS.wish[language]} ${wish}.`);
  if (values.length > 0) parts.push(`${WORDS.values[language]} ${list(values.slice(0, VALUES_MAX), language)}.`);
  if (done) parts.push(`${WORDS.done[language]} ${done}.`);
  const said = wish || done ? undefined : wordsOfCaller(history);
  if (said) parts.push(`${WORDS.said[language]} ${said}`);
  return parts.join(' ');
}

/** The label of the intent that begins a flow. */
function labelOf({ intents }: AgentDefinition, flow: string | undefined, language: Language): string | undefined {
  const intent = flow === undefined ? undefined : intents?.find((one) => one.flow === flow);
  const label = localize(intent?.label, language);
  return label === '' ? undefined : label;
}

/** What the caller said last that is more than a word, whatever it was. */
function wordsOfCaller(history: readonly Turn[]): string | undefined {
  const said = history.filter(({ role }) => role === 'caller').map(({ text }) => text.trim());
  return said.findLast((text) => text.split(/\s+/).length >= WISH_WORDS_MIN);
}

const list = (values: readonly string[], language: Language): string => values.join(language === 'ar' ? '، ' : ', ');

/** Whole sentences, as far as there is time for them. */
function clipped(text: string): string {
  if (text.length <= HANDOVER_CHARS_MAX) return text;
  let kept = '';
  for (const sentence of sentencesOf(text)) {
    if (kept.length + sentence.length > HANDOVER_CHARS_MAX) break;
    kept += `${kept === '' ? '' : ' '}${sentence}`;
  }
  return kept === '' ? text.slice(0, HANDOVER_CHARS_MAX) : kept;
}
