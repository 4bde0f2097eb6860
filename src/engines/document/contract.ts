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
