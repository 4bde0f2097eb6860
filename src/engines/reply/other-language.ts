import type { Language } from '../../core/agent.ts';
import { languageWish, spokenIn } from '../../language/spoken-language.ts';
import type { Heard } from './acts/act.ts';
import type { CompiledAgent } from './compiled-agent.ts';
import type { DialogueState } from './dialogue-state.ts';
import { fits } from './fitting.ts';
import { questionOf } from './questions.ts';
import type { TurnDraft } from './turn-draft.ts';

/** A name that was asked for has no more words, and is written as it sounds. */
const NAME_WORDS_MAX = 4;
/** One word of the other language is borrowed, but at the beginning: then nothing else is known. */
const WORDS_MIN = 2;

/** The language that a turn is answered in: the caller's, where the agent has it. Numbers, names and borrowed words change none. */
export function languageTaken(agent: CompiledAgent, state: DialogueState, text: string): Language {
  const said = spokenIn(text);
  if (!said || said.language === state.language || !agent.languages.includes(said.language)) return state.language;
  const { pending, turn } = state;
  const slots = agent.flows.get(state.flow ?? '')?.slots ?? [];
  const asked = pending.kind === 'slot' ? slots.find(({ name }) => name === pending.slot) : undefined;
  if (asked?.type === 'name' && said.words <= NAME_WORDS_MAX) return state.language;
  return said.words >= WORDS_MIN || turn === 0 ? said.language : state.language;
}

/** `English please`: granted by an agent that has it, and the question comes again in it. */
export function otherLanguage(draft: TurnDraft, heard: Heard): boolean {
  const wish = languageWish(heard.text);
  if (wish === undefined || !draft.agent.languages.includes(wish) || fits(draft, heard)) return false;
  if (draft.state.pending.kind === 'slot' && draft.slot?.type === 'text' && heard.words.length === 1) return false; // `which book?` `English`
  speakIn(draft, wish);
  return true;
}

/** From now on, and heard so too. */
export function speakIn(draft: TurnDraft, language: Language): void {
  draft.set({ language, wished: language, noMatch: 0 });
  const isOpen = draft.state.pending.kind === 'open';
  draft.stock(isOpen && draft.setting.mode === 'voice' ? 'inLanguage' : 'inLanguageOn');
  questionOf(draft);
}
