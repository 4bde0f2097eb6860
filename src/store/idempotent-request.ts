/** A request that may be sent again. */
export interface IdempotentRequest {
  readonly accountId: string;
  readonly path: string;
  readonly key: string; // the client's Idempotency-Key
  readonly requestSha256: Buffer; // of everything that makes the request what it is
}

/** What its repetitions are answered. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}
