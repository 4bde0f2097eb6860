import type { FieldDefinition, Language, OutcomeDefinition } from '../../core/agent.ts';
import type { TellUse } from '../../core/service-use.ts';
import type { OutboundTurn } from '../privacy/crossing.ts';
import type { Outbound } from '../privacy/outbound.ts';

/** A call as a model outside the gateway is given it: nothing that was said in it has not crossed the privacy boundary. */
export interface OutboundCall {
  readonly turns: readonly OutboundTurn[];
  readonly language: Language; // of the summary
  /** When it began, so that "tomorrow" is a day; a date with its day of the week. */
  readonly day: Outbound;
  /** What it may be said to have come to. */
  readonly outcomes: readonly OutcomeDefinition[];
  readonly fields: readonly FieldDefinition[];
  readonly summary: boolean;
  /** Told what a service was sent for it. */
  readonly used?: TellUse;
}

/** Words of a call, and what a model takes them for. Nothing of it is believed before `believed.ts`. */
export interface CallClaim {
  readonly outcome: string;
  /** Words of the caller that say so. */
  readonly words: string;
  readonly summary: string;
  readonly fields: readonly { readonly name: string; readonly value: string; readonly words: string }[];
}

/** A language model that reads calls which are over. */
export interface CallModel {
  readonly name: string;
  available(): { readonly ok: true } | { readonly ok: false; readonly why: string };
  /** Failure: throws ServiceError. Aborting rejects. */
  claim(call: OutboundCall, signal: AbortSignal): Promise<CallClaim>;
}
