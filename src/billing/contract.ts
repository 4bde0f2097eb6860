/** Money and records of phone calls, as the call path sees them. Implemented by `billing/call-book.ts` over the store. */

import type { AnalysisState, CallAnalysis } from '../core/call-analysis.ts';
import type { ServicesUsed } from '../core/service-use.ts';
import type { TurnDetails } from '../core/turn-details.ts';
import type { AccountLimit } from '../store/accounts.ts';
import type { CallStart } from '../store/call-rows.ts';
import type { KeptKeyPress, KeptQuality, KeptTransfer } from '../store/schema.ts';

/** One turn as kept and shown. Times are milliseconds since the call was answered. */
export interface TurnRecord {
  readonly index: number; // 0, 1, 2 ... unique in the call: with the call id it is the charge id
  readonly role: 'caller' | 'agent' | 'person'; // a person: whom the caller was put through to
  readonly text: string; // agent: what was heard, not what was written
  readonly startedMs: number;
  /** Agent: how much of the turn's audio was played, in ms. Caller: how long the speech lasted. */
  readonly heardMs: number;
  /** An agent's turn that was not for the caller: said to the person whom the call goes to. */
  readonly heardBy?: 'person';
  /** End of the caller's speech to the first RTP packet of the answer; agent turns that answer only. */
  readonly latencyMs?: number;
  readonly timings?: TurnTimings;
  readonly details?: TurnDetails;
  /** What is charged with this turn: a reply, and the characters that were synthesised for it with this model. */
  readonly charge?: { readonly reply: boolean; readonly characters: number; readonly model: string };
}

/** Stations of one answer, milliseconds since the call was answered (monotonic clock). */
export interface TurnTimings {
  readonly speechEndMs: number;
  readonly endpointMs: number; // the turn was judged complete
  readonly finalTranscriptMs: number;
  readonly firstTextMs: number;
  readonly firstAudioMs: number;
  readonly firstPacketMs: number;
}

export interface CallSummary {
  readonly endedAt: Date;
  readonly answered: boolean;
  readonly talkMs: number; // answer to end, monotonic
  readonly end: { readonly party: string; readonly reason: string; readonly detail?: string };
  readonly dtmf: string; // digits received, in order
  readonly keys?: readonly KeptKeyPress[]; // the same, with their times
  readonly quality?: Readonly<Record<string, number | string | undefined>>; // MediaStats
  readonly qualityOverTime?: KeptQuality;
  readonly recording?: string; // path below the data folder
  readonly transfers?: readonly KeptTransfer[]; // who was tried, and what came of it; see `call/transfer-outcome.ts`
  readonly answeredBy?: 'human' | 'machine' | 'unknown'; // of a call out, where that was looked at
  readonly services?: ServicesUsed; // what it took of services that charge
  readonly analysis?: CallAnalysis; // where its agent wants one
  readonly analysisState?: AnalysisState;
}

/**
 * Everything that touches money about a call. Charges are reserved before service and settled once by charge id
 * (`<call id>/minute/<n>`, `<call id>/turn/<n>`). Once a call was begun, no method fails because the database is away:
 * facts go to a durable journal on disk and are applied once later.
 */
export interface CallBook {
  /** Opens the record and reserves the first minute. Nothing is charged until `answered`. */
  begin(call: CallStart): Promise<'ok' | 'insufficient-credit' | AccountLimit | 'unavailable'>;
  /**
   * The call was answered: the first minute is settled.
   * @param recordedMs - what its recording has from before the answer, from which all other times are counted.
   */
  answered(callId: string, at: Date, recordedMs?: number): void;
  /** The n-th minute (1 is the second one) begins. */
  startMinute(callId: string, minute: number): Promise<'ok' | 'insufficient-credit'>;
  turn(callId: string, turn: TurnRecord): void;
  /** Caller and person hear each other, while the call goes on. @param transfers - all that were tried so far. */
  transferred(callId: string, transfers: readonly KeptTransfer[]): void;
  /** Settles, releases what is still reserved, writes the final record, queues the jobs that follow. Idempotent. */
  finish(callId: string, summary: CallSummary): Promise<void>;
}
