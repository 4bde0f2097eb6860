import type { PcmFrame } from '../audio/pcm.ts';
import { type Language, languageOf } from '../core/agent.ts';
import type { Clock, Timer } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { languageWish, type SpokenIn, spokenIn } from '../language/spoken-language.ts';
import { Ear, hintsIn, optionsFor, type Round, type SttFinal, tagFor } from './ear.ts';
import { type EarState, earEvent, nextEars, otherThan } from './ear-choice.ts';
import { DOUBTED_SCORE, heardScore, isBetter, learnWords, mayBeName, SURE_SCORE } from './heard-score.ts';
import { lengthMs } from './stt/audio-times.ts';
import type { SttEngine, SttEvent, SttFeed, SttHints, SttOptions, SttStream } from './stt/contract.ts';
import { EventChannel } from './stt/event-channel.ts';
import { SttBacklog } from './stt-backlog.ts';

/** Speech that another recogniser can still be given. */
const KEPT_AUDIO_MS = 20_000;
/** Whoever is not expected is waited for so long when the other's words have come; longer where those may be misheard. */
const WAIT_MS = 1_200;
const DOUBTED_WAIT_MS = 2_500;
/** A sound so short is not heard again. */
const ASKED_AUDIO_MS = 1_000;
/** The other recogniser was asked in vain so often: then it is not asked any more in this stream. */
const ASKED_IN_VAIN_MAX = 4;
/** Finals that nobody has called a turn (by new hints) are one all the same. */
const TURN_FINALS_MAX = 6;

export interface TwoEarsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}
export type EarsByLanguage = Readonly<Record<Language, SttEngine>>;

/** Recognisers of two languages as one for calls in which both may be spoken: see `TwoEarsStream`. */
export function twoEars(engines: EarsByLanguage, language: Language, deps: TwoEarsDeps): SttEngine {
  const own = engines[language];
  const other = engines[otherThan(language)];
  return {
    name: `${own.name}|${other.name}`,
    capabilities: own.capabilities,
    available: (tag) => own.available(tag),
    warmUp: (options) => {
      own.warmUp?.(options);
      if (!own.capabilities.tellsApart) other.warmUp?.({ language: tagFor(otherThan(language), options.language) });
    },
    open: (options, signal) => new TwoEarsStream(engines, options, signal, deps),
    close: async () => {},
  };
}

/** A pause, and who was asked about it besides. */
interface Pause extends Round {
  readonly audioMs: number;
  timer?: Timer;
  /** The other recogniser was called for it alone. */
  asked?: boolean;
}

/**
 * What a caller says, by recognisers that hear one language each. Both hear the first turn; then the one whose language it was in hears
 * alone, until two sentences of the other language, or a wish for it (`ear-choice.ts`). Words that may be the other language misheard are
 * given to the other recogniser before they are told. Each pause is answered by one final, in the language it was in. A turn ends when
 * there are new hints. A recogniser that tells languages apart hears alone from the beginning.
 */
class TwoEarsStream implements SttStream {
  readonly #channel = new EventChannel();
  readonly #ears = new Map<Language, Ear>();
  readonly #backlog = new SttBacklog(KEPT_AUDIO_MS);
  readonly #pauses: Pause[] = []; // not answered, the oldest first
  #state: EarState;
  #next: EarState; // from the next moment in which nothing is waited for
  #hints: SttHints | undefined;
  #unaskedMs = 0; // of audio since the last pause
  #said: SpokenIn | undefined; // the longest of this turn
  #finals = 0; // of this turn
  #vain = 0;
  #ended = false;

  constructor(
    private readonly engines: EarsByLanguage,
    private readonly options: SttOptions,
    private readonly signal: AbortSignal,
    private readonly deps: TwoEarsDeps,
  ) {
    this.#state = { phase: 'first', language: languageOf(options.language), turns: 0 };
    this.#next = this.#state;
    this.#hints = options.hints;
    if (options.hints) learnWords(options.hints);
    if (signal.aborted) this.#channel.abort();
    else signal.addEventListener('abort', () => this.#stop(), { once: true });
    this.#align();
  }

  /** Whole stretches are right for both where they differ: whoever bills what it hears is given some of them twice, in a first turn. */
  get feed(): SttFeed {
    const hearing = [...this.#ears.values()].filter((ear) => this.#hears(ear));
    const feeds = new Set(hearing.map(({ feed }) => feed));
    const [feed = 'whole-stretches'] = feeds;
    return feeds.size === 1 ? feed : 'whole-stretches';
  }
  get tellsApart(): boolean {
    return true;
  }

  write(frame: PcmFrame): void {
    if (this.#channel.done || this.#ended) return;
    const atMs = this.#backlog.writtenMs;
    this.#unaskedMs += lengthMs(frame);
    this.#backlog.write(frame);
    for (const ear of this.#ears.values()) if (this.#hears(ear)) ear.write(frame, atMs);
  }

  flush(): void {
    if (this.#unaskedMs === 0 || this.#channel.done || this.#ended) return;
    const pause = this.#pause();
    this.#backlog.flush();
    for (const ear of this.#ears.values()) if (this.#hears(ear)) ear.flush(pause);
  }

  hint(hints: SttHints): void {
    if (this.#channel.done || this.#ended) return;
    this.#hints = hints;
    learnWords(hints);
    for (const ear of this.#ears.values()) ear.hint(hints);
    const { language } = hints;
    if (language !== undefined) this.#wish(languageOf(language));
    else this.#turnOver();
    this.#align();
  }

  end(): void {
    if (this.#channel.done || this.#ended) return;
    this.#ended = true;
    const pause = this.#unaskedMs > 0 ? this.#pause() : undefined;
    this.#backlog.end();
    for (const ear of this.#ears.values()) if (this.#hears(ear)) ear.end(pause);
  }

  [Symbol.asyncIterator](): AsyncIterator<SttEvent> {
    return this.#channel[Symbol.asyncIterator]();
  }

  get #lead(): Ear | undefined {
    return this.#ears.get(this.#state.language);
  }
  /** Whether it hears what is said from now on, and not one pause alone. */
  #hears({ language }: Ear): boolean {
    return language === this.#state.language || this.#wantsBoth;
  }
  #isThere(language: Language): boolean {
    return this.engines[language].available(tagFor(language, this.options.language)).ok;
  }
  get #wantsBoth(): boolean {
    return this.#state.phase !== 'one' && !this.#lead?.tellsApart;
  }

  #pause(): Pause {
    const pause: Pause = { finals: new Map(), waiting: new Set(), audioMs: this.#unaskedMs };
    this.#unaskedMs = 0;
    this.#pauses.push(pause);
    return pause;
  }

  /** Recognisers come and go between pauses: what was said since the last one, whoever comes is given. */
  #align(): void {
    if (this.#pauses.length > 0 || this.#channel.done || this.#ended) return;
    if (this.#next.language !== this.#state.language && !this.#isThere(this.#next.language)) {
      this.#become({ ...this.#state, phase: 'one', turns: 0 }); // misheard is better than not heard
    }
    this.#state = this.#next;
    const { language } = this.#state;
    try {
      this.#open(language);
    } catch (error) {
      return this.#fail(error);
    }
    if (this.#wantsBoth) this.#openBeside(otherThan(language));
    for (const ear of [...this.#ears.values()]) if (!this.#hears(ear)) this.#close(ear);
  }

  #open(language: Language): Ear | undefined {
    const known = this.#ears.get(language);
    if (known || this.#channel.done) return known;
    const engine = this.engines[language];
    const { tellsApart } = engine.capabilities;
    const hints = this.#hints && (tellsApart ? this.#hints : hintsIn(language, this.#hints));
    const ear = new Ear(engine, language, optionsFor(language, this.options, hints), this.signal, {
      interim: (by, event) => {
        if (by === this.#lead) this.#channel.push(event);
      },
      final: (by, final, round) => this.#onFinal(by, final, round as Pause | undefined),
      over: (by, error) => this.#onOver(by, error),
    });
    this.#ears.set(language, ear);
    ear.catchUp(this.#backlog, this.#pauses);
    return ear;
  }

  /** One that cannot even be opened is none. */
  #openBeside(language: Language): void {
    if (!this.#isThere(language)) return;
    try {
      this.#open(language);
    } catch {
      this.#become({ ...this.#next, phase: 'one', turns: 0 });
    }
  }

  #close(ear: Ear): void {
    if (this.#ears.get(ear.language) === ear) this.#ears.delete(ear.language);
    ear.close();
    for (const { waiting } of this.#pauses) waiting.delete(ear.language);
  }

  #onFinal(ear: Ear, final: SttFinal, pause: Pause | undefined): void {
    if (!pause) {
      if (ear === this.#lead) this.#tell(final, ear.language); // of its own accord
      return;
    }
    pause.waiting.delete(ear.language);
    pause.finals.set(ear.language, final);
    if (ear === this.#lead && pause.waiting.size === 0 && this.#mayBeOther(ear, final, pause)) this.#ask(pause);
    const score = this.#scoreOf(ear.language, final);
    if (!pause.asked && score >= SURE_SCORE) pause.waiting.clear();
    // Whoever is expected is waited for as long as it is left time.
    if (pause.waiting.size > 0 && ear === this.#lead)
      this.#limit(pause, score < DOUBTED_SCORE ? DOUBTED_WAIT_MS : WAIT_MS);
    this.#answer();
  }

  /** Words of who hears alone may be the other language, as it sounds to who does not know it. */
  #mayBeOther(ear: Ear, final: SttFinal, { audioMs, finals }: Pause): boolean {
    if (ear.tellsApart || this.#wantsBoth || this.#ended || finals.size > 1) return false;
    if (final.text !== '' && mayBeName(final.text, this.#hints)) return false;
    if (audioMs < ASKED_AUDIO_MS || this.#backlog.heldMs >= KEPT_AUDIO_MS - 1_000) return false;
    if (this.#vain >= ASKED_IN_VAIN_MAX || this.#pauses.length > 1) return false;
    const other = otherThan(ear.language);
    return this.#scoreOf(ear.language, final) < DOUBTED_SCORE && this.#isThere(other);
  }

  /** What was said is kept until it is answered: the other recogniser hears it, too. */
  #ask(pause: Pause): void {
    pause.asked = true;
    this.#openBeside(otherThan(this.#state.language));
  }

  #limit(pause: Pause, ms: number): void {
    pause.timer ??= this.deps.clock.setTimer(ms, () => {
      pause.waiting.clear();
      this.#answer();
    });
  }

  /** Tells what is known of every pause that nobody is waited for, in order. */
  #answer(): void {
    for (let pause = this.#pauses[0]; pause && pause.waiting.size === 0; pause = this.#pauses[0]) {
      this.#pauses.shift();
      this.deps.clock.clearTimer(pause.timer);
      this.#settle(pause);
    }
    if (this.#pauses.length > 0) return;
    this.#align();
    if (this.#ended && this.#ears.size === 0) this.#channel.finish();
  }

  #settle({ finals, asked }: Pause): void {
    const own = this.#state.language;
    const other = otherThan(own);
    const [mine, theirs] = [finals.get(own), finals.get(other)];
    const isOther = theirs && (!mine || isBetter(this.#scoreOf(other, theirs), this.#scoreOf(own, mine)));
    const final = isOther ? theirs : mine;
    if (asked) {
      if (!isOther) this.#vain += 1;
      const ear = this.#ears.get(other);
      if (ear) this.#close(ear);
    }
    if (final) this.#tell(final, isOther ? other : own);
  }

  #tell(final: SttFinal, language: Language): void {
    this.#backlog.settled();
    const said = spokenIn(final.text);
    this.#finals += 1;
    if (said && said.words >= (this.#said?.words ?? 0)) this.#said = said;
    const wish = languageWish(final.text);
    const isTold = this.#ears.get(language)?.tellsApart ?? this.engines[language].capabilities.tellsApart;
    const spoken = (isTold ? final.language : undefined) ?? said?.language ?? this.#state.language;
    if (wish) this.#wish(wish);
    else if (this.#finals >= TURN_FINALS_MAX) this.#turnOver();
    if (this.#pauses.length === 0) this.#align(); // before it is told: who hears decides how speech is given
    this.#channel.push({ ...final, language: spoken });
  }

  #turnOver(): void {
    const said = this.#said;
    if (this.#finals > 0 && !this.#lead?.tellsApart) this.#become(nextEars(this.#next, earEvent(this.#next, said)));
    this.#said = undefined;
    this.#finals = 0;
  }

  #wish(language: Language): void {
    this.#said = undefined;
    this.#finals = 0;
    if (this.#lead?.tellsApart || !this.#isThere(language)) return;
    this.#become(nextEars(this.#next, language === this.#next.language ? 'own-wished' : 'other-wished'));
  }

  #become(next: EarState): void {
    const { phase, language } = this.#next;
    if (next.phase !== phase || next.language !== language) {
      this.deps.logger.debug({ ears: next.phase, language: next.language }, 'who hears the caller has changed');
    }
    this.#next = next;
  }

  #onOver(ear: Ear, error: unknown): void {
    const wasLead = ear === this.#lead;
    this.#close(ear);
    if (error !== undefined && !wasLead)
      this.deps.logger.warn({ language: ear.language }, 'the second recogniser failed');
    if (error !== undefined && wasLead) return this.#fail(error);
    if (wasLead && !this.#ended) {
      this.#channel.finish();
      return this.#stop();
    }
    if (!wasLead && !this.#ended) this.#become({ ...this.#next, phase: 'one', turns: 0 });
    this.#answer();
  }

  /** Nobody hears any more. */
  #fail(error: unknown): void {
    this.#channel.fail(error instanceof Error ? error : new Error('recogniser failed', { cause: error }));
    this.#stop();
  }

  #scoreOf(language: Language, final: SttFinal): number {
    return heardScore(final, language, this.#hints);
  }

  #stop(): void {
    for (const { timer } of this.#pauses) this.deps.clock.clearTimer(timer);
    this.#pauses.length = 0;
    for (const ear of this.#ears.values()) ear.close();
    this.#ears.clear();
    if (this.signal.aborted) this.#channel.abort();
  }
}
