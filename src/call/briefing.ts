import { FRAME_SAMPLES } from '../audio/pcm.ts';
import type { Language, TransferRules } from '../core/agent.ts';
import type { Clock, Timer } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { SttHints } from '../engines/stt/contract.ts';
import { readYesNo } from '../language/values/yesno.ts';
import { wordsOf } from '../language/words.ts';
import type { MediaPort } from '../media/media-port.ts';
import type { CallTicker } from './call-ticker.ts';
import type { HearingParts } from './ears.ts';
import { OneSide } from './one-side.ts';
import { PHRASES } from './phrases.ts';
import type { Synthesize } from './speech-output.ts';
import type { SpokenTurn } from './turn-log.ts';
import { Whisper } from './whisper.ts';

/** A summary that takes longer than that to be made and played is left there. */
const WHISPER_MS_MAX = 45_000;
/** From the end of the summary on a key is waited for so long, and asked for once more after half of it. */
export const ACCEPT_MS_MAX = 16_000;
const [ACCEPT_KEY, DECLINE_KEY] = ['1', '2'];

export interface BriefingDeps {
  readonly synthesize: Synthesize;
  readonly clock: Clock;
  readonly ticker: CallTicker;
  readonly logger: Logger;
  /** What hearing the person takes. */
  readonly hearing: () => HearingParts;
  /** Something was said to the person. */
  readonly told: (turn: SpokenTurn) => void;
}

export interface BriefingOrder {
  readonly accept: NonNullable<TransferRules['accept']>;
  readonly language: Language;
  /** What the person is told; empty: nothing but how to accept. */
  readonly handover: string;
}

export interface BriefingHandlers {
  /** All of it was heard, or cannot be said. */
  said(): void;
  accepted(): void;
  declined(): void;
  /** Nothing was pressed. */
  late(): void;
}

/** A yes or no is short: what is longer says something else, too. */
const NOD_WORDS_MAX = 4;
const NOD_CONFIDENCE_MIN = 0.5;
const NOD: SttHints = { phrases: [], expect: ['yesno'] };

/** A person on the line hears what the call is about, and says by key whether they take it. The caller hears nothing of it. */
export class Briefing {
  #whisper: Whisper | undefined;
  #timer: Timer | undefined;
  #side: OneSide | undefined; // while a yes is waited for
  readonly #ticking = {
    tick: (): void => this.#side?.tick(),
    broken: (): void => this.#unhear(), // keys are left
  };

  constructor(
    private readonly deps: BriefingDeps,
    private readonly port: MediaPort, // the person's
    private readonly order: BriefingOrder,
    private readonly handlers: BriefingHandlers,
  ) {}

  /** Says all of it. */
  tell(): void {
    const sentences = [this.order.handover, this.order.accept === 'answer' ? '' : this.#keys].filter(
      (one) => one !== '',
    );
    if (sentences.length === 0) return this.handlers.said();
    this.#timer = this.deps.clock.setTimer(WHISPER_MS_MAX, () => this.handlers.said());
    this.#say(sentences);
  }

  /** All is said. Where nobody has to agree by key that is enough. */
  decide(): void {
    const { clock } = this.deps;
    clock.clearTimer(this.#timer);
    if (this.order.accept === 'answer') return this.handlers.accepted();
    if (this.order.accept === 'speech') this.#hear();
    this.#timer = clock.setTimer(ACCEPT_MS_MAX / 2, () => {
      this.#say([this.#keys]);
      this.#timer = clock.setTimer(ACCEPT_MS_MAX / 2, () => this.handlers.late());
    });
  }

  /** A key counts in the middle of a sentence, too. */
  key(digit: string): void {
    if (digit === ACCEPT_KEY) this.handlers.accepted();
    else if (digit === DECLINE_KEY) this.handlers.declined();
  }

  /** Silent from now on. Idempotent. */
  stop(): void {
    this.deps.clock.clearTimer(this.#timer);
    this.#unhear();
    const turn = this.#whisper?.stop();
    this.#whisper = undefined;
    if (turn) this.deps.told(turn);
  }

  get #keys(): string {
    return PHRASES[this.order.accept === 'speech' ? 'acceptWords' : 'acceptKeys'][this.order.language];
  }

  /** What was said while the agent spoke is not meant: who answers a phone says yes. */
  #hear(): void {
    const { clock, ticker, hearing } = this.deps;
    if (this.#side) return;
    const before = new Int16Array(FRAME_SAMPLES);
    while (this.port.read(before) > 0);
    this.#side = new OneSide(this.port, clock, hearing(), NOD, ({ text, confidence }) => {
      const words = wordsOf(text);
      const answer = words.length <= NOD_WORDS_MAX && confidence >= NOD_CONFIDENCE_MIN && readYesNo(words)?.answer;
      if (answer === 'yes') this.handlers.accepted();
      else if (answer === 'no') this.handlers.declined();
    });
    ticker.add(this.#ticking);
  }

  #unhear(): void {
    this.deps.ticker.remove(this.#ticking);
    this.#side?.close();
    this.#side = undefined;
  }

  #say(sentences: readonly string[]): void {
    const { synthesize, clock, ticker, logger, told } = this.deps;
    const before = this.#whisper?.stop();
    if (before) told(before);
    this.#whisper = new Whisper(
      { port: this.port, synthesize, clock, ticker },
      {
        said: () => this.handlers.said(),
        failed: (error) => {
          logger.warn({ error: errorText(error) }, 'a person could not be told of a call');
          this.handlers.said();
        },
      },
    );
    this.#whisper.say(sentences, this.order.language);
  }
}
