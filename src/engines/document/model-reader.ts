import type { PrivacyMode } from '../../core/agent.ts';
import { errorText, ServiceError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { stemsOf } from '../../language/beginnings.ts';
import type { EngineGuard } from '../guard.ts';
import { type Crossing, cross, hasStandIn } from '../privacy/crossing.ts';
import type { DocumentAnswer, DocumentQuestion, DocumentReader } from './contract.ts';
import {
  believedAnswer,
  type DocumentModel,
  linesOfPassages,
  type ModelClaim,
  type ModelQuestion,
} from './model-answer.ts';
import { notAnswered } from './retrieval/answer.ts';
import type { RetrievalReader } from './retrieval-reader.ts';

export interface ModelReaderDeps {
  readonly retrieval: Pick<RetrievalReader, 'retrieve'>;
  readonly model: DocumentModel;
  readonly guard: EngineGuard;
  readonly privacy: PrivacyMode;
  /** Whether the answer of retrieval stands where the model gives none that can be believed. */
  readonly fallback: boolean;
  readonly logger: Logger;
}

/** Share of an answer's longer words that its quotes and the question must hold; below it the quotes speak themselves. */
const SUPPORTED_SHARE = 0.5;
const NEGATION =
  /\b(?:no|not|never|none|cannot|without)\b|n't\b|(?<!\p{L})(?:لا|ليس|ليست|لم|لن|غير|بدون|ما)(?!\p{L})/iu;

/**
 * Reads documents with a chat model. Retrieval finds the passages, which cross the privacy boundary; what the model claims
 * is believed only where its quotes stand in them word for word.
 */
export class ModelReader implements DocumentReader {
  readonly counters = { believed: 0, disbelieved: 0 };

  constructor(private readonly deps: ModelReaderDeps) {}

  async ask(question: DocumentQuestion, signal: AbortSignal): Promise<DocumentAnswer> {
    const { answer, passages } = await this.deps.retrieval.retrieve(question, signal);
    if (!passages || passages.passages.length === 0) return answer;
    const otherwise = this.deps.fallback ? answer : notAnswered(passages.language);
    const crossing = this.#cross(passages);
    if (crossing.type === 'withheld') return otherwise;
    const claim = await this.#claim(crossing, passages, signal);
    if (!claim) return otherwise;
    if (!claim.answered) return notAnswered(passages.language);
    const believed = believedAnswer(linesOfPassages(passages.passages), question.question, claim);
    if (!believed.answered || hasStandIn(believed.answer)) {
      this.counters.disbelieved += 1;
      this.deps.logger.info(
        { disbelieved: this.counters.disbelieved },
        'a model quoted what the document does not say',
      );
      return otherwise;
    }
    this.counters.believed += 1;
    return isSupported(believed, question.question) ? believed : { ...believed, answer: believed.quotes.join(' ') };
  }

  /** Passages stand where a conversation has its turns: one boundary for all of them. */
  #cross({ question, passages }: ModelQuestion): Crossing {
    const history = passages.map((text) => ({ role: 'agent' as const, text }));
    return cross({ text: question, history, variables: {}, defaults: {}, menus: false }, this.deps.privacy);
  }

  /** The claim with its values put back; undefined when there is none and retrieval may answer. */
  async #claim(
    { texts, createRestorer }: Extract<Crossing, { type: 'crossed' }>,
    { language }: ModelQuestion,
    signal: AbortSignal,
  ): Promise<ModelClaim | undefined> {
    const { model, guard, fallback, logger } = this.deps;
    const asked = { question: texts.text, language, passages: texts.history.map(({ text }) => text) };
    const restored = (text: string): string => {
      const restorer = createRestorer();
      return restorer.push(text) + restorer.end();
    };
    try {
      const own = model.available();
      if (!own.ok) throw new ServiceError('unavailable', '', { cause: new Error(own.why) });
      const claim = await guard.call((inner) => model.claim(asked, inner), signal);
      if (!claim) throw signal.reason;
      return { ...claim, answer: restored(claim.answer), quotes: claim.quotes.map(restored) };
    } catch (error) {
      if (signal.aborted || !fallback) throw error;
      logger.warn({ model: model.name, error: errorText(error) }, 'retrieval answers for the model');
      return undefined;
    }
  }
}

/** Whether the wording of an answer rests on its quotes. Says yes where languages differ: words cannot be compared then. */
function isSupported({ answer, quotes }: DocumentAnswer, question: string): boolean {
  const quoted = quotes.join(' ');
  if (/\p{Script=Arabic}/u.test(answer) !== /\p{Script=Arabic}/u.test(quoted)) return true;
  if (NEGATION.test(answer) !== NEGATION.test(quoted)) return false;
  const known = new Set(stemsOf(`${quoted} ${question}`));
  const said = stemsOf(answer);
  return said.filter((stem) => known.has(stem)).length >= said.length * SUPPORTED_SHARE;
}
