import { type Agent, type AgentDefinition, type KnowledgeItem, type Language, languageOf } from '../../core/agent.ts';
import { KnowledgeIndex } from '../document/knowledge.ts';

/** What a model is told of an agent, ready to be looked up many times. Immutable. */
export interface AgentBrief {
  readonly definition: AgentDefinition;
  readonly language: Language;
  readonly languages: readonly Language[];
  /** The items that go with a question, best first. */
  find(question: string, limit: number): readonly KnowledgeItem[];
}

const MAX_BRIEFS = 64;

/** Briefs by content, since an agent is read anew for every request; the least recently used goes beyond `MAX_BRIEFS`. */
export class AgentBriefs {
  readonly #byContent = new Map<string, AgentBrief>();

  get({ definition }: Agent): AgentBrief {
    const content = JSON.stringify(definition);
    const brief = this.#byContent.get(content) ?? briefOf(definition);
    this.#byContent.delete(content);
    this.#byContent.set(content, brief);
    if (this.#byContent.size > MAX_BRIEFS) this.#byContent.delete(this.#byContent.keys().next().value!);
    return brief;
  }

  clear(): void {
    this.#byContent.clear();
  }
}

function briefOf(definition: AgentDefinition): AgentBrief {
  const language = languageOf(definition.language);
  const greets = (['ar', 'en'] as const).filter((one) => definition.greeting[one] !== undefined);
  const items = definition.knowledge ?? [];
  let index: KnowledgeIndex | undefined;
  return {
    definition,
    language,
    languages: greets.length > 0 ? greets : [language],
    find: (question, limit) => {
      index ??= new KnowledgeIndex(items.map(entryOf));
      return index.search(question, limit).flatMap(({ id }) => items[Number(id)] ?? []);
    },
  };
}

function entryOf({ question, answer }: KnowledgeItem, index: number) {
  const questions = [...(question.ar ?? []), ...(question.en ?? [])];
  return { id: String(index), questions, text: `${answer.ar ?? ''} ${answer.en ?? ''}` };
}
