import { FRAME_MS } from '../audio/pcm.ts';
import { type CallEnd, type CallEndReason, callEnd } from '../call/call-end.ts';
import type { DialError, RefusalText } from '../call/dialer.ts';
import { type Leg, LegError } from '../call/leg.ts';
import { type Clock, delay } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { SttStream } from '../engines/stt/contract.ts';
import type { VadDetector } from '../engines/vad/contract.ts';
import type { MediaPort, MediaStats } from '../media/media-port.ts';
import { statedReason } from '../sip/status.ts';
import { type HeardStretch, Listener } from './listener.ts';

/** What the synthetic caller does, in order. Speech and keys wait for the other side's answer and then for its silence. */
export type CallerStep =
  | {
      readonly type: 'speak';
      readonly samples: Int16Array;
      readonly label: string;
      /** Does not wait: at once, or so long after the other side has begun to answer what was done last. */
      readonly interrupt?: boolean | { readonly afterMs: number };
    }
  /** Says nothing until the other side has been quiet for so long, or has asked whether somebody is there. */
  | { readonly type: 'quiet'; readonly ms: number }
  | { readonly type: 'keys'; readonly keys: string }
  | { readonly type: 'pause'; readonly ms: number };

export interface SaidStretch {
  readonly fromMs: number; // since the answer
  readonly toMs: number;
  readonly label: string;
}

export interface CallerReport {
  readonly answered: boolean;
  readonly sipCallId?: string; // of an answered call
  readonly status?: number; // SIP status of a refusal
  readonly refusal?: RefusalText;
  readonly setupMs: number; // INVITE to answer, or to giving up
  readonly talkMs: number;
  readonly heard: readonly HeardStretch[];
  readonly said: readonly SaidStretch[];
  readonly end: CallEnd;
  readonly quality: MediaStats;
}

export interface SyntheticCallerOptions {
  readonly steps: readonly CallerStep[];
  /** Silence of the other side before the next step. */
  readonly patienceMs: number;
  /** The same after a word or two, which may be that it takes a moment; like any other without it. */
  readonly briefPatienceMs?: number;
  /** The whole call. */
  readonly maxMs: number;
  readonly recordTo?: string;
  /** Aborting hangs up. */
  readonly signal?: AbortSignal;
}

export interface SyntheticCallerDeps {
  readonly port: MediaPort;
  /** Places the call and configures `port` with what was agreed. */
  readonly dial: (port: MediaPort) => Promise<Leg>;
  readonly vad: VadDetector;
  readonly stt?: SttStream;
  readonly clock: Clock;
}

/**
 * Longest wait for the other side to begin to speak, at first and after each thing said or keyed. Who speaks too early is not
 * understood, and a machine that does much else takes seconds to understand: this is only for a side that says nothing at all.
 */
const ANSWER_WAIT_MAX_MS = 15_000;
/** Longest wait for the other side to be quiet before speaking all the same. */
const QUIET_WAIT_MAX_MS = 30_000;
/** Shorter speech is a word or two. */
const BRIEF_SPEECH_MS = 1_200;
/** About what RFC 4733 takes for one key, with the gap after it. */
const KEY_MS = 200;

/** A caller without a person: dials, says what it was given, and notes what it heard and when. */
export class SyntheticCaller {
  readonly #said: SaidStretch[] = [];
  readonly #over = new AbortController();
  #listener: Listener | undefined;
  #answeredAtMs = 0;
  #lastActMs = 0; // end of what we did last, since the answer
  #end: CallEnd | undefined;

  constructor(
    private readonly deps: SyntheticCallerDeps,
    private readonly options: SyntheticCallerOptions,
  ) {}

  /** Runs the call to its end. Never throws: a call that was not answered is a report. */
  async run(): Promise<CallerReport> {
    const { port, dial, clock } = this.deps;
    const dialledMs = clock.nowMs();
    let leg: Leg;
    try {
      leg = await dial(port);
    } catch (error) {
      return this.#unanswered(error, Math.round(clock.nowMs() - dialledMs));
    }
    this.#answeredAtMs = clock.nowMs();
    const setupMs = Math.round(this.#answeredAtMs - dialledMs);
    await this.#talk(leg);
    const end = this.#end ?? callEnd('caller', 'caller-hangup');
    const talkMs = Math.round(this.#now);
    await leg.hangup(end);
    await this.#listener?.finish();
    const quality = await port.close();
    const heard = this.#listener?.heard ?? [];
    const { sipCallId } = leg.info;
    return { answered: true, sipCallId, setupMs, talkMs, heard, said: this.#said, end, quality };
  }

  async #unanswered(error: unknown, setupMs: number): Promise<CallerReport> {
    const end = error instanceof LegError ? error.end : callEnd('network', 'internal', errorText(error));
    const { status = 0, text } = error as Partial<Pick<DialError, 'status' | 'text'>>;
    this.deps.vad.close();
    this.deps.stt?.end();
    const quality = await this.deps.port.close();
    return {
      ...{ answered: false, setupMs, talkMs: 0, heard: [], said: [], end, quality },
      ...(status > 0 && { status }),
      ...(text && { refusal: text }),
    };
  }

  async #talk(leg: Leg): Promise<void> {
    const { port, clock, vad, stt } = this.deps;
    const { maxMs, recordTo, signal } = this.options;
    this.#listener = new Listener({ port, vad, ...(stt && { stt }), nowMs: () => this.#now });
    leg.setHandlers({
      onMedia: (media) => port.configure(media),
      onDtmf: () => undefined,
      onEnd: (end) => this.#finish(seenFromHere(end)),
    });
    if (recordTo !== undefined) port.startRecording(recordTo);
    const limit = clock.setTimer(maxMs, () => this.#finish(callEnd('caller', 'max-duration')));
    const hangUp = (): void => this.#finish(callEnd('caller', 'caller-hangup', 'interrupted'));
    signal?.addEventListener('abort', hangUp, { once: true });
    if (signal?.aborted) hangUp();
    await this.#perform();
    this.#finish(callEnd('caller', 'caller-hangup'));
    clock.clearTimer(limit);
    signal?.removeEventListener('abort', hangUp);
  }

  #finish(end: CallEnd): void {
    this.#end ??= end;
    this.#over.abort();
  }

  /** Since the answer. */
  get #now(): number {
    return this.deps.clock.nowMs() - this.#answeredAtMs;
  }

  async #perform(): Promise<void> {
    for (const step of this.options.steps) {
      if (this.#end) return;
      if (step.type === 'pause') {
        await this.#wait(step.ms);
        continue;
      }
      const { interrupt = false } = step.type === 'speak' ? step : {};
      if (typeof interrupt === 'object') await this.#waitForVoice(interrupt.afterMs);
      else if (!interrupt) await this.#waitForTurn();
      if (this.#end) return;
      if (step.type === 'quiet') {
        await this.#keepQuiet(step.ms);
        continue;
      }
      if (step.type === 'keys') await this.#press(step.keys);
      else await this.#speak(step.samples, step.label);
      this.#lastActMs = this.#now;
    }
    await this.#waitForTurn();
  }

  /** Until the other side has been answering for so long. */
  async #waitForVoice(afterMs: number): Promise<void> {
    const limitMs = this.#now + this.#answerWaitMs;
    for (;;) {
      const since = this.#listener?.heard.findLast(({ toMs, fromMs }) => Math.max(toMs, fromMs) > this.#lastActMs);
      if (since && this.#now >= Math.max(since.fromMs, this.#lastActMs) + afterMs) return;
      if (this.#end || (!since && this.#now >= limitMs)) return;
      await this.#wait(FRAME_MS);
    }
  }

  /** The quiet counts from the last sound of the other side; what was done last stays what is answered. */
  async #keepQuiet(ms: number): Promise<void> {
    const fromMs = Math.round(Math.max(this.#listener?.lastVoiceMs ?? 0, this.#lastActMs));
    this.#said.push({ fromMs, toMs: fromMs, label: `silence (${ms} ms)` });
    await this.#wait(fromMs + ms - this.#now);
  }

  async #press(keys: string): Promise<void> {
    const fromMs = Math.round(this.#now);
    this.deps.port.sendDtmf(keys);
    await this.#wait(keys.length * KEY_MS);
    this.#said.push({ fromMs, toMs: Math.round(this.#now), label: `keys (${keys.length})` });
  }

  async #speak(samples: Int16Array, label: string): Promise<void> {
    const { port } = this.deps;
    let fromMs = this.#now;
    for (let at = 0; at < samples.length && !this.#end; ) {
      at += port.write(samples.subarray(at));
      await this.#wait(FRAME_MS);
    }
    const { talkStartedAtMs } = port; // when it really left
    if (talkStartedAtMs !== undefined) fromMs = Math.max(fromMs, talkStartedAtMs - this.#answeredAtMs);
    while (!this.#end && port.playedSamples < port.writtenSamples) await this.#wait(FRAME_MS);
    this.#said.push({ fromMs: Math.round(fromMs), toMs: Math.round(this.#now), label });
  }

  /** Waits, hearing meanwhile. */
  async #wait(ms: number): Promise<void> {
    const { clock } = this.deps;
    const untilMs = clock.nowMs() + ms;
    while (!this.#end && clock.nowMs() < untilMs) {
      await delay(clock, Math.min(FRAME_MS, untilMs - clock.nowMs()), this.#over.signal);
      this.#listener?.tick();
    }
  }

  /** Waits until the other side has answered what we did last and has been quiet for `patienceMs`, within limits. */
  async #waitForTurn(): Promise<void> {
    const startMs = this.#now;
    while (!this.#end && this.#now - startMs < QUIET_WAIT_MAX_MS) {
      await this.#wait(FRAME_MS);
      const { speaking = false, lastVoiceMs } = this.#listener ?? {};
      if (speaking) continue;
      const hasAnswered = lastVoiceMs !== undefined && lastVoiceMs > this.#lastActMs;
      if (hasAnswered && this.#now - lastVoiceMs >= this.#patienceMs) return;
      if (!hasAnswered && this.#now - Math.max(startMs, this.#lastActMs) >= this.#answerWaitMs) return;
    }
  }

  get #patienceMs(): number {
    const { patienceMs, briefPatienceMs = patienceMs } = this.options;
    const answer = (this.#listener?.heard ?? []).filter(({ toMs }) => toMs > this.#lastActMs);
    const answerMs = answer.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    return answerMs < BRIEF_SPEECH_MS ? Math.max(patienceMs, briefPatienceMs) : patienceMs;
  }

  get #answerWaitMs(): number {
    return Math.max(ANSWER_WAIT_MAX_MS, this.options.patienceMs);
  }
}

/** Whose doing an end is that the other side names; any other is the gateway's. */
const PARTY_OF_STATED: Partial<Record<CallEndReason, CallEnd['party']>> = {
  'agent-hangup': 'agent',
  transferred: 'agent',
  'callee-hangup': 'callee',
};

/**
 * A leg calls whoever is at its far end the caller; on a call that we placed that is the agent, or its gateway where that says
 * why it ends the call.
 */
function seenFromHere(end: CallEnd): CallEnd {
  if (end.reason !== 'caller-hangup') return end;
  const stated = statedReason(end.detail) ?? 'agent-hangup';
  return callEnd(PARTY_OF_STATED[stated] ?? 'gateway', stated, end.detail);
}
