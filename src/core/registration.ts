/** One place that a phone registered, as a restart finds it again; `src/sip/bindings.ts` says what the fields are. */
export interface KeptBinding {
  readonly uri: string;
  readonly key: string;
  readonly flow: string;
  readonly path: readonly string[];
  readonly parameters: string;
  readonly q: number;
  readonly callId: string;
  readonly cseq: number;
  readonly userAgent: string;
  readonly expiresAt: string; // ISO 8601
}

export interface KeptPhone {
  readonly phoneId: string;
  readonly bindings: readonly KeptBinding[]; // none: it is to be forgotten
}
