import type { Agent } from '../../core/agent.ts';

export interface DocumentQuestion {
  readonly file: Uint8Array;
  readonly mimeType: string; // one the service accepts, already sniffed
  readonly filename?: string;
  readonly question: string; // 1..2,000 characters
}

export interface DocumentAnswer {
  readonly answer: string; // when not answered, a sentence that says so in the question's language
  readonly quotes: readonly string[]; // lines of the document, word for word; empty when not answered
  readonly answered: boolean;
}

/** Answers from one document and from nothing else. */
export interface DocumentReader {
  /**
   * Failure: throws ServiceError `invalid_document` (nothing readable in the file), `unsupported_document`,
   * `answer_failed` or `unavailable`. Aborting `signal` rejects.
   */
  ask(question: DocumentQuestion, signal: AbortSignal): Promise<DocumentAnswer>;
}

/** What a document says to a question. */
export interface Passage {
  readonly document: string; // its id
  readonly name: string; // of the file
  readonly page: number;
  /** The answer in the words of the document. */
  readonly text: string;
  /** The lines that it stands on. */
  readonly quote: string;
  /** How likely it answers the question, 0..1. */
  readonly score: number;
}

export interface PassageWish {
  readonly limit: number;
  /** What is found later is not wanted any more. */
  readonly withinMs: number;
}

/** Documents of agents, to be asked while callers wait. */
export interface AgentDocuments {
  /**
   * The passages that most likely answer, best first, each of another paragraph; none where the agent has no documents, they say
   * nothing of it, or it takes too long. Never rejects.
   */
  find(agent: Agent, question: string, wish: PassageWish, signal: AbortSignal): Promise<readonly Passage[]>;
  /** Somebody is about to ask. */
  prepare(agent: Agent): void;
}
