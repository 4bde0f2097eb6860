import {
  type AgentAction,
  type AgentDefinition,
  type Language,
  type Localized,
  languageOf,
} from '../../../core/agent.ts';
import { splitSentences } from '../../../language/sentence-pieces.ts';
import type { Coverage, CoverageChecker, FlaggedToken, TextNormalizer } from '../contract.ts';
import { ACRONYMS } from '../lexicon/acronyms.ts';
import { createNormalizer } from '../normalize/speakable-normalizer.ts';
import type { SpeechStyle } from '../normalize/speech-style.ts';
import { createCoverageChecker } from './coverage-checker.ts';

/** Where in a definition a text stands: `['flows', 0, 'slots', 1, 'prompts', 'ar', 0]`. */
export type ScriptPath = readonly (string | number)[];

/** A text the agent may say, as its author wrote it. */
export interface ScriptText {
  readonly path: ScriptPath;
  readonly language: Language;
  readonly text: string;
}

/** A word that a voice may mispronounce although the sentence was normalised. */
export interface ScriptFlag extends FlaggedToken {
  readonly path: ScriptPath;
  readonly language: Language;
  readonly sentence: string; // as written
}

/** Pronunciation coverage of everything an agent can say. */
export interface ScriptReport {
  readonly sentences: number;
  readonly token_count: number;
  readonly flagged_count: number;
  readonly coverage: Coverage['coverage'];
  readonly flagged: readonly ScriptFlag[];
}

export interface ScriptEngines {
  readonly normalizer: TextNormalizer;
  readonly checker: CoverageChecker;
}

/** Checks agents with the normaliser that calls and the API use. */
export function createScriptChecker(style: Partial<SpeechStyle> = {}): (agent: AgentDefinition) => ScriptReport {
  const normalizer = createNormalizer(style);
  const checker = createCoverageChecker({ normalizer });
  return (agent) => checkScript(agent, { normalizer, checker });
}

const LANGUAGES: readonly Language[] = ['ar', 'en'];
const PLACEHOLDER = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;

/**
 * Runs every sentence of an agent through the normaliser, as a call does, and what is left through the coverage check. The
 * agent is judged, never refused. Work is linear in the length of the script. Never throws.
 */
export function checkScript(agent: AgentDefinition, { normalizer, checker }: ScriptEngines): ScriptReport {
  const flagged: ScriptFlag[] = [];
  let sentences = 0;
  let tokens = 0;
  for (const { path, language, text } of scriptTexts(agent)) {
    for (const sentence of splitSentences(text)) {
      const spoken = normalizer.normalize(filled(sentence, agent), language).normalized;
      const coverage = checker.check(spoken);
      sentences += 1;
      tokens += coverage.token_count;
      for (const flag of coverage.flagged) {
        if (!saidAsWritten(flag, language)) flagged.push({ ...flag, path, language, sentence });
      }
    }
  }
  const coverage = tokens === 0 ? 1 : Math.round((10_000 * (tokens - flagged.length)) / tokens) / 10_000;
  return { sentences, token_count: tokens, flagged_count: flagged.length, coverage, flagged };
}

/** A placeholder with its default; those that a call fills are left out. */
function filled(sentence: string, agent: AgentDefinition): string {
  return sentence.replace(PLACEHOLDER, (_all, name: string) => agent.variables?.[name] ?? '');
}

/** NASA and PIN are read as words: the normaliser leaves them on purpose. */
function saidAsWritten({ token, reason }: FlaggedToken, language: Language): boolean {
  return language === 'en' && reason === 'acronym' && ACRONYMS.get(token)?.en?.toUpperCase() === token;
}

/** Every text an agent can say, in the order of its definition. What only callers say (examples, questions) is not in it. */
export function scriptTexts(agent: AgentDefinition): readonly ScriptText[] {
  const texts: ScriptText[] = [];
  const own = languageOf(agent.language);
  const add = (path: ScriptPath, language: Language, text: string | undefined): void => {
    if (text !== undefined && text.trim() !== '') texts.push({ path, language, text });
  };
  const say = (path: ScriptPath, text: Localized | undefined): void => {
    for (const language of LANGUAGES) add([...path, language], language, text?.[language]);
  };
  const list = (path: ScriptPath, lists: { readonly [L in Language]?: readonly string[] } | undefined): void => {
    for (const language of LANGUAGES)
      for (const [index, text] of (lists?.[language] ?? []).entries()) add([...path, language, index], language, text);
  };
  const act = (path: ScriptPath, action: AgentAction): void => {
    if ('text' in action) say([...path, 'text'], action.text);
    if (!('then' in action)) return;
    say([...path, 'then'], action.then);
    say([...path, 'otherwise'], action.otherwise);
  };

  say(['greeting'], agent.greeting);
  for (const [name, value] of Object.entries(agent.variables ?? {})) add(['variables', name], own, value);
  agent.intents?.forEach((intent, at) => {
    say(['intents', at, 'label'], intent.label);
    say(['intents', at, 'answer'], intent.answer);
    if (intent.action) act(['intents', at, 'action'], intent.action);
  });
  agent.flows?.forEach((flow, at) => {
    flow.slots.forEach((slot, index) => {
      const path = ['flows', at, 'slots', index];
      list([...path, 'prompts'], slot.prompts);
      say([...path, 'confirm'], slot.confirm);
      slot.choices?.forEach((choice, number) => {
        // A choice is read out by the first of its names.
        for (const language of LANGUAGES)
          add([...path, 'choices', number, 'say', language, 0], language, choice.say[language]?.[0]);
      });
    });
    say(['flows', at, 'confirm'], flow.confirm);
    for (const [index, action] of flow.actions.entries()) act(['flows', at, 'actions', index], action);
  });
  for (const [at, item] of (agent.knowledge ?? []).entries()) say(['knowledge', at, 'answer'], item.answer);
  tableTexts(agent, texts, add, own);
  list(['noMatch'], agent.noMatch);
  list(['noInput'], agent.noInput);
  say(['goodbye'], agent.goodbye);
  return texts;
}

/** Cells of tables whose columns the texts so far name. */
function tableTexts(
  agent: AgentDefinition,
  texts: readonly ScriptText[],
  add: (path: ScriptPath, language: Language, text: string) => void,
  own: Language,
): void {
  const named = new Set(texts.flatMap(({ text }) => [...text.matchAll(PLACEHOLDER)].map((match) => match[1]!)));
  for (const [table, rows] of Object.entries(agent.tables ?? {})) {
    rows.forEach((row, at) => {
      for (const [column, cell] of Object.entries(row))
        if (named.has(column)) add(['tables', table, at, column], own, cell);
    });
  }
}
