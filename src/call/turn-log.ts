import type { TurnRecord } from '../billing/contract.ts';
import type { Metrics } from '../core/metrics.ts';
import type { TurnDetails } from '../core/turn-details.ts';
import type { CallerTurnRecord } from './caller-turn.ts';
import type { Overheard } from './overheard.ts';
import { Transcript } from './transcript.ts';

/** Takes every finished turn: store, ledger, live view. Must not throw. */
export type TurnSink = (turn: TurnRecord) => void;

/** Stations of one answer on the monotonic clock; what did not happen stays undefined. */
export interface AnswerTimes {
  readonly endpointMs: number;
  readonly speechEndMs?: number;
  readonly finalMs?: number;
  firstTextMs?: number;
  firstAudioMs?: number;
  firstPacketMs?: number;
}

/** A tool that was called for a turn, on the monotonic clock. */
export interface ToolTime {
  readonly tool: string; // as in `ToolNote`
  readonly outcome: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface SpokenTurn {
  readonly text: string; // what was heard
  readonly heardMs: number;
  readonly times: AnswerTimes;
  readonly characters: number;
  readonly reply: boolean; // an answer of the reply engine, which is charged as such
  readonly aside: boolean; // the reply engine is not told of it
  readonly toPerson?: boolean; // said to whom the call goes, and not heard by the caller
  readonly details?: TurnDetails;
  readonly cutAtMs?: number; // the caller spoke over it
  readonly tools?: readonly ToolTime[];
}

/** Turns into records: times relative to the answer of the call, charges, latency metrics. */
export class TurnLog {
  readonly transcript = new Transcript();
  constructor(
    private readonly sink: TurnSink,
    private readonly metrics: Metrics,
    private readonly originMs: number,
    private readonly model: string,
    private readonly trace?: { turn(turn: SpokenTurn): void },
  ) {}

  /** Silence, and speech of which nothing was recognised, leave no turn: the reply engine counts its own reminders. */
  caller(turn: CallerTurnRecord, details: TurnDetails = {}): void {
    if (turn.text === '') return;
    const index = this.transcript.add({ role: 'caller', text: turn.text });
    const startedMs = this.#relative(turn.startMs);
    const heardMs = Math.round(turn.endMs - turn.startMs);
    this.sink({ index, role: 'caller', text: turn.text, startedMs, heardMs, ...unlessEmpty(details) });
  }

  /** What the caller and another person say to each other: on record, and no part of the dialogue. */
  overheard({ role, text, startMs, endMs }: Omit<Overheard, 'confidence'>): void {
    const index = this.transcript.skip();
    this.sink({ index, role, text, startedMs: this.#relative(startMs), heardMs: Math.round(endMs - startMs) });
  }

  agent(turn: SpokenTurn): void {
    const { text, heardMs, times, characters, reply, aside, toPerson, details, cutAtMs } = turn;
    this.trace?.turn(turn);
    const index = aside ? this.transcript.skip() : this.transcript.add({ role: 'agent', text });
    this.#measure(times);
    const { speechEndMs, finalMs, firstTextMs, firstAudioMs, firstPacketMs } = times;
    const answered = speechEndMs !== undefined && firstPacketMs !== undefined;
    const startMs = firstPacketMs ?? firstAudioMs ?? times.endpointMs;
    this.sink({
      index,
      role: 'agent',
      text,
      startedMs: this.#relative(startMs),
      heardMs: Math.max(0, Math.round(heardMs)),
      ...(toPerson && { heardBy: 'person' }),
      ...unlessEmpty({ ...details, ...(cutAtMs !== undefined && { interruptedMs: this.#relative(cutAtMs) }) }),
      ...(answered && {
        latencyMs: Math.round(firstPacketMs - speechEndMs),
        timings: {
          speechEndMs: this.#relative(speechEndMs),
          endpointMs: this.#relative(times.endpointMs),
          finalTranscriptMs: this.#relative(finalMs ?? times.endpointMs),
          firstTextMs: this.#relative(firstTextMs ?? startMs),
          firstAudioMs: this.#relative(firstAudioMs ?? startMs),
          firstPacketMs: this.#relative(firstPacketMs),
        },
      }),
      charge: { reply, characters, model: this.model },
    });
  }

  #relative(ms: number): number {
    return Math.max(0, Math.round(ms - this.originMs));
  }

  #measure(times: AnswerTimes): void {
    const { turnLatencySeconds } = this.metrics;
    const observe = (stage: string, from: number | undefined, to: number | undefined): void => {
      if (from !== undefined && to !== undefined) turnLatencySeconds.observe({ stage }, Math.max(0, to - from) / 1000);
    };
    if (times.speechEndMs === undefined) return;
    observe('endpointing', times.speechEndMs, times.endpointMs);
    observe('stt', times.speechEndMs, times.finalMs);
    observe('reply', times.endpointMs, times.firstTextMs);
    observe('tts', times.firstTextMs, times.firstAudioMs);
    observe('playout', times.firstAudioMs, times.firstPacketMs);
    observe('total', times.endpointMs, times.firstPacketMs);
    observe('perceived', times.speechEndMs, times.firstPacketMs);
  }
}

const unlessEmpty = (details: TurnDetails): { readonly details?: TurnDetails } =>
  Object.keys(details).length > 0 ? { details } : {};
