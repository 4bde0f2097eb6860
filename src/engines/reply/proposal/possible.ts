import type { IntentDefinition, KnowledgeItem, Localized } from '../../../core/agent.ts';
import { fold } from '../../../language/fold.ts';
import { sentencesOf } from '../../../language/sentences.ts';
import type { CompiledAgent } from '../compiled-agent.ts';
import type { DialogueState } from '../dialogue-state.ts';
import type { Proposal, ProposedAct, ProposedType } from './proposal.ts';

/** Wishes that are tried; an agent has a dozen. */
const MAX_WISHES = 40;
/** What one act of a model can have led to, where something is being done and where not. */
const ANYWHERE: readonly ProposedType[] = [
  ...(['other', 'hesitate', 'repeat', 'help', 'hello', 'thanks'] as const),
  ...(['emergency', 'complaint', 'human', 'goodbye'] as const), // a transfer may have failed, and the call gone on
];
const IN_FLOW: readonly ProposedType[] = ['leave', 'deny', ...ANYWHERE];

/**
 * The readings of a sentence that a model may have proposed: one act each, or a question beside a yes. A history does not
 * say which it was; what the agent then said does.
 *
 * @param heard - what the agent then said: only topics that are answered so are tried.
 */
export function* possibleProposals(
  agent: CompiledAgent,
  state: DialogueState,
  text: string,
  heard: string,
): Generator<Proposal> {
  const all = (...acts: Omit<ProposedAct, 'words'>[]): Proposal => ({
    acts: acts.map((act) => ({ ...act, words: text })),
    say: '',
  });
  const { intents = [], knowledge = [] } = agent.definition;
  for (const [topic, { answer }] of knowledge.entries()) {
    if (!begins(answer, fold(heard))) continue;
    const question = { type: 'question', of: `knowledge:${topic}` } as const;
    yield all(question);
  }
  // What stays with what is being done goes first: two wishes may ask the same question.
  const flow = agent.flows.get(state.flow ?? '');
  for (const type of flow ? IN_FLOW : ANYWHERE) yield all({ type });
  if (state.pending.kind !== 'open') yield* withWords(text, heard);
  for (const { name } of flow?.slots ?? []) yield all({ type: 'wrong', of: name });
  const own = intents.find((intent) => flow && intent.flow === flow.name);
  if (own) yield all({ type: 'forbid', of: `intent:${own.name}` });
  if (flow) yield all({ type: 'affirm', but: true });
  const folded = fold(heard);
  for (const { name } of intents.slice(0, MAX_WISHES)) {
    if (sayingsOf(agent, name).some((saying) => folded.includes(saying)))
      yield all({ type: 'request', of: `intent:${name}` });
  }
}

/** Sentences of a model before the question that was asked again. */
const WORDS_MAX = 3;

function* withWords(text: string, heard: string): Generator<Proposal> {
  const sentences = sentencesOf(heard);
  for (let count = 1; count < sentences.length && count <= WORDS_MAX; count += 1) {
    const say = sentences.slice(0, count).join(' ');
    for (const type of ['other', 'question'] as const) yield { acts: [{ type, words: text }], say };
    yield { acts: [], say };
  }
}

const LITERAL_CHARS = 24;

/** Whether what was said may begin with an answer, as far as no variable stands in it. */
function begins(answer: KnowledgeItem['answer'], heard: string): boolean {
  const texts: (keyof Localized)[] = ['ar', 'en'];
  return texts.some((language) => {
    const literal = fold((answer[language] ?? '').split('{{')[0]!).slice(0, LITERAL_CHARS);
    return answer[language] !== undefined && (heard.startsWith(literal) || literal.startsWith(heard));
  });
}

const sayings = new WeakMap<CompiledAgent, ReadonlyMap<string, readonly string[]>>();

/** How what a wish leads to may begin: its answer, the questions and the texts of its flow; folded, without variables. */
function sayingsOf(agent: CompiledAgent, name: string): readonly string[] {
  const known = sayings.get(agent) ?? new Map(agent.definition.intents?.map((one) => [one.name, textsOf(agent, one)]));
  sayings.set(agent, known);
  return known.get(name) ?? [];
}

function textsOf(agent: CompiledAgent, { label, answer, action, flow: flowName }: IntentDefinition): string[] {
  const flow = agent.flows.get(flowName ?? '');
  const actions = [...(action ? [action] : []), ...(flow?.actions ?? [])];
  const localized = [
    ...[answer, flow?.confirm, label], // its label where it was asked about
    ...(flow?.slots ?? []).map(({ confirm }) => confirm),
    ...actions.flatMap((one) => ('text' in one ? [one.text] : 'otherwise' in one ? [one.then, one.otherwise] : [])),
  ];
  const texts = [
    ...localized.flatMap((text) => [text?.ar ?? '', text?.en ?? '']),
    ...(flow?.slots ?? []).flatMap(({ prompts }) => [...(prompts.ar ?? []), ...(prompts.en ?? [])]),
  ];
  const literals = texts.map((text) => fold(text.split('{{')[0]!).slice(0, LITERAL_CHARS));
  return [...new Set(literals)].filter((literal) => literal !== '');
}
