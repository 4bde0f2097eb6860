import { littleEndian, type PcmFrame, samplesOf, TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import type { Timer } from '../../../core/clock.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import type { HearingEvents } from '../listen-stream.ts';
import type { SocketRequest } from '../remote-socket.ts';
import { sentAudio } from '../sent-audio.ts';
import { SocketHearing } from '../socket-hearing.ts';
import { StretchJoiner } from '../stretch-joiner.ts';
import { readFluxMessage, type TurnInfo } from './flux-messages.ts';
import { type FluxState, fluxStep } from './flux-state.ts';

/** There is no message to keep a connection: silence does. */
const KEEP_ALIVE_MS = 4_000;
const SILENCE_MS = 100;
/** The service tells how far it is with each quarter of a second of audio; where none comes, silence has it told. */
const UNTOLD_MS = 500;
const ASKING_SILENCE_MS = 300;
/** Of speech that is sent without any message coming back. */
const SILENT_MS = 3_000;
/** A flush that is not answered. */
const ANSWER_MS = 4_000;
/** How far the service's own times are rounded. */
const STEP_MS = 100;
const MULAW_SILENCE = 0xff;

/**
 * One connection to Deepgram's Flux, which tells of turns by itself. What it takes for the end of one is the answer to a flush that comes
 * then; a flush that comes before forces the end.
 */
export class FluxHearing extends SocketHearing {
  readonly #joiner = new StretchJoiner();
  #state: FluxState = 'idle';
  #askedMs = 0; // of what was sent, up to the last flush
  #eager: TurnInfo | undefined; // that it took for the end, so far
  #taken: string | undefined; // of the turn that we have ended, as it was answered
  #untold: Timer | undefined;
  #unanswered: Timer | undefined;

  constructor(
    request: SocketRequest,
    private readonly rateHz: number,
    events: HearingEvents,
  ) {
    super(request, KEEP_ALIVE_MS, events);
  }

  write(frame: PcmFrame): void {
    this.socket.expectMessage(SILENT_MS);
    this.socket.write(sentAudio(frame));
  }

  flush(): void {
    this.#joiner.ask({ fromMs: this.#askedMs, toMs: this.times.givenMs });
    this.#askedMs = this.times.givenMs;
    this.socket.expectMessage(SILENT_MS);
    this.socket.send('{"type":"ForceEndTurn"}');
    const eager = this.#eager;
    if (!eager || this.#joiner.waiting > 1) return this.#mindUntold();
    this.#eager = undefined;
    this.#taken = eager.text;
    this.#joiner.add({ ...eager, endMs: this.#askedMs });
    this.#answer();
  }

  protected onQuiet(): void {
    this.#sendSilence(SILENCE_MS);
  }

  protected override leave(): void {
    this.socket.send('{"type":"CloseStream"}');
  }

  protected onText(message: string): boolean {
    const told = readFluxMessage(message);
    if (told instanceof ChatFailure) this.socket.fail(told);
    else if (typeof told === 'object') this.#onTurn(told);
    return told !== 'garbage';
  }

  protected waitNoMore(): void {
    for (const timer of [this.#untold, this.#unanswered]) this.clock.clearTimer(timer);
    this.#untold = this.#unanswered = undefined;
  }

  #onTurn(told: TurnInfo): void {
    const { to, does } = fluxStep(this.#state, told.event);
    this.#state = to;
    if (does === 'speculate') this.#eager = told;
    else if (does !== undefined) this.#eager = undefined;
    if (does === 'settle') this.#settle(told);
    else if (this.#joiner.waiting > 0) this.#wait(told);
    else if (told.text !== '' && this.#taken === undefined) this.events.interim(this.#joiner.soFar(told.text));
  }

  #settle(told: TurnInfo): void {
    const taken = this.#taken;
    this.#taken = undefined;
    if (taken !== undefined) return this.#addRest(told, taken);
    this.#joiner.add(told);
    const { first } = this.#joiner;
    if (!first) {
      if (told.text !== '') this.events.interim(this.#joiner.soFar(''));
    } else if (told.forced || told.endMs >= first.toMs - STEP_MS) this.#answer();
    else this.#wait(told);
  }

  /** What it heard of a turn after it took it for over, and before we ended it. */
  #addRest(told: TurnInfo, taken: string): void {
    const rest = told.text.startsWith(taken) ? told.text.slice(taken.length).trim() : '';
    if (rest === '') return;
    const fromMs = this.#askedMs;
    this.#joiner.add({
      ...told,
      text: rest,
      words: [],
      startMs: fromMs,
      endMs: Math.max(told.endMs, fromMs + STEP_MS),
    });
  }

  /** A flush waits: where it has heard all of it and there is no turn, there were no words; a turn that began late is ended, too. */
  #wait({ event, endMs }: TurnInfo): void {
    const { first } = this.#joiner;
    if (!first || endMs < first.toMs - STEP_MS) return;
    if (this.#state === 'idle') this.#answer();
    else if (event === 'StartOfTurn') this.socket.send('{"type":"ForceEndTurn"}');
  }

  #answer(): void {
    this.waitNoMore();
    const answers = this.#joiner.waiting === 0 ? [] : this.#joiner.answered();
    for (const stretch of answers) this.events.answered(stretch);
    if (this.#joiner.waiting > 0) this.#mindUntold();
  }

  #mindUntold(): void {
    this.#unanswered ??= this.clock.setTimer(ANSWER_MS, () => {
      this.socket.fail(new ChatFailure('first-token-timeout', 'a turn that was ended is not settled'));
    });
    this.#untold ??= this.clock.setTimer(UNTOLD_MS, () => {
      this.#untold = undefined;
      if (this.#joiner.waiting > 0) this.#sendSilence(ASKING_SILENCE_MS);
    });
  }

  #sendSilence(ms: number): void {
    const samples = samplesOf(ms, this.rateHz);
    this.times.fill(ms);
    const isMulaw = this.rateHz === TELEPHONE_RATE_HZ;
    this.socket.send(isMulaw ? new Uint8Array(samples).fill(MULAW_SILENCE) : littleEndian(new Int16Array(samples)));
  }
}
