import type { Clock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import type { SoundMean } from './cepstral-mean.ts';
import type { SttHints } from './contract.ts';
import { buildGrammar, grammarKey, type RecognitionGrammar } from './grammar.ts';
import { type Decoded, GrammarListener } from './grammar-listener.ts';
import { Lexicon } from './lexicon.ts';
import { LiveDecoders } from './live-decoders.ts';
import type { RecogniserMessage, Say, ToWorker, WorkerSetup } from './pocketsphinx-protocol.ts';
import { SharedGrammars } from './shared-grammars.ts';
import type { SphinxLibrary } from './sphinx-library.ts';
import { isFiller, spokenText } from './spoken-tokens.ts';
import { STRETCH_SAMPLES_MAX, StretchAudio } from './stretch-audio.ts';
import { StretchRota } from './stretch-rota.ts';

/** Grammars kept as text, the least recently used one leaves. */
const GRAMMARS_MAX = 64;
/** Text of compiled grammars that one listener keeps: one large grammar or some small ones. */
const LIVE_CHARACTERS_MAX = 80_000;
/** The same of the one for whom there is no other: 23 MB and 12 that are shared, four of a large agent, or many small ones. */
const RESERVE_CHARACTERS_MAX = 270_000;
/** Shorter stretches hold no word. */
const STRETCH_SAMPLES_MIN = 800;

interface Stretch {
  readonly id: number;
  readonly grammar: RecognitionGrammar; // kept: finding it by its hints takes 2 ms, which the final would wait for
  readonly wantsInterims: boolean;
  readonly keepBelow: number;
  readonly kept: StretchAudio | undefined;
  readonly sound: SoundMean | undefined;
  listener: GrammarListener | undefined;
  refused: boolean;
  heardSamples: number;
  interim: string;
}

/**
 * What a thread for speech by grammar does with its messages: stretches of speech in, texts out. Messages are only taken in; the
 * hearing is done in steps of 60 ms of somebody's speech (`work`), so that at the end of a stretch only its last words are
 * left to hear, and nobody waits for more than a step of another. One thread, no waiting.
 */
export class Recogniser {
  readonly #rota = new StretchRota<Stretch>();
  readonly #grammars = new Map<string, RecognitionGrammar>();
  readonly #lexicon: Lexicon;
  readonly #live: LiveDecoders<GrammarListener>;
  readonly #makeReserve: () => GrammarListener;
  /** For a stretch that is over and was not heard yet, since there was no other. */
  #reserve: GrammarListener | undefined;
  #reservedFor: Stretch | undefined;

  /** @throws Error when the model is refused. */
  constructor(
    readonly setup: WorkerSetup,
    library: SphinxLibrary,
    dictionary: Buffer,
    readonly say: Say,
    clock: Clock,
  ) {
    this.#lexicon = new Lexicon(dictionary);
    const shared = new SharedGrammars(library);
    const listener = (charactersMax: number) => new GrammarListener(library, setup.model, charactersMax, shared);
    this.#makeReserve = () => listener(RESERVE_CHARACTERS_MAX);
    this.#reserve = this.#makeReserve();
    this.#live = new LiveDecoders(setup.liveDecodersMax, () => listener(LIVE_CHARACTERS_MAX), setup.idleMs, clock);
  }

  handle(message: RecogniserMessage): void {
    if (message.type === 'sentences') return; // of free speech
    if (message.type === 'prepare') {
      this.#grammarOf(message.hints);
      return;
    }
    const { id } = message;
    try {
      if (message.type === 'begin') this.#begin(message);
      else if (message.type === 'audio') this.#take(id, message.samples);
      else if (message.type === 'finish') this.#rota.finish(id);
      else this.#letGo(id);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /** Hears 60 ms of somebody, or settles what was heard. @returns whether there may be more to do. */
  work(): boolean {
    const step = this.#rota.next((stretch, isOver) => this.#canHear(stretch, isOver));
    if (!step) return false;
    const { stretch, piece, isOver } = step;
    try {
      if (!piece) this.#settle(stretch);
      else this.#hear(stretch, piece, isOver);
    } catch (error) {
      this.#giveBack(stretch);
      this.#fail(stretch.id, error);
    }
    return true;
  }

  /** Gives back what further stretches can do without. @returns false while there is a stretch. */
  release(): boolean {
    if (this.#rota.size > 0) return false;
    this.#live.release();
    this.#reserve?.close();
    this.#reserve = undefined;
    return true;
  }

  close(): void {
    for (const id of this.#rota.ids) this.#drop(id);
    this.release();
  }

  #begin({ id, hints, interim, keepBelow, sound }: ToWorker & { readonly type: 'begin' }): void {
    const kept = keepBelow === undefined ? undefined : new StretchAudio();
    this.#rota.begin({
      ...{ id, grammar: this.#grammarOf(hints), wantsInterims: interim, kept, keepBelow: keepBelow ?? 0 },
      ...{ sound, listener: undefined, refused: false, heardSamples: 0, interim: '' },
    });
  }

  #take(id: number, samples: Int16Array): void {
    this.#rota.push(id, samples)?.kept?.push(samples);
    this.say({ type: 'taken', id, samples: samples.length });
  }

  /** Finds somebody who hears a stretch until its end. */
  #canHear(stretch: Stretch, isOver: boolean): boolean {
    if (stretch.listener || stretch.refused) return true;
    const { grammar, sound } = stretch;
    try {
      stretch.listener = this.#live.lend(grammar, sound, this.#rota.size);
      if (stretch.listener || !isOver || this.#reservedFor) return stretch.listener !== undefined;
      this.#reserve ??= this.#makeReserve();
      if (this.#reserve.start(grammar, sound)) stretch.listener = this.#reserve;
      else stretch.refused = true;
    } catch (error) {
      this.#fail(stretch.id, error);
      return false;
    }
    if (stretch.listener) this.#reservedFor = stretch;
    return true;
  }

  #hear(stretch: Stretch, piece: Int16Array, isOver: boolean): void {
    const { listener } = stretch;
    if (!listener || stretch.heardSamples > STRETCH_SAMPLES_MAX) return; // what is known of longer speech is bounded
    stretch.heardSamples += piece.length;
    listener.hear(piece);
    if (!stretch.wantsInterims || isOver) return;
    const tokens = listener.tokens();
    const text = tokens.some(isFiller) ? '' : spokenText(tokens);
    if (text === '' || text === stretch.interim) return;
    stretch.interim = text;
    this.say({ type: 'interim', id: stretch.id, text });
  }

  #settle(stretch: Stretch): void {
    const { id, listener, heardSamples } = stretch;
    const decoded = heardSamples < STRETCH_SAMPLES_MIN ? undefined : listener?.finish();
    this.#giveBack(stretch);
    const { text, confidence } = decoded ? this.#textOf(decoded) : NOTHING;
    const final = { type: 'final', id, text, confidence, ...(text === '' ? {} : { sound: decoded?.sound }) } as const;
    const samples = text === '' || confidence < stretch.keepBelow ? stretch.kept?.joined() : undefined;
    if (samples) this.say({ ...final, samples }, [samples.buffer as ArrayBuffer]);
    else this.say(final);
  }

  #textOf({ tokens, fit }: Decoded): { readonly text: string; readonly confidence: number } {
    const text = fit < this.setup.minFit ? '' : spokenText(tokens);
    return text === '' ? NOTHING : { text, confidence: confidenceOf(fit) };
  }

  /** Nobody listens any more. What was asked for is answered all the same: its turn is over by that alone. */
  #letGo(id: number): void {
    const isOver = this.#rota.isOver(id);
    this.#drop(id);
    if (isOver) this.say({ type: 'failed', id, why: 'given up' });
  }

  #drop(id: number): void {
    const stretch = this.#rota.drop(id);
    if (stretch) this.#giveBack(stretch);
  }

  #fail(id: number, error: unknown): void {
    this.#drop(id);
    this.say({ type: 'failed', id, why: errorText(error) });
  }

  #giveBack(stretch: Stretch): void {
    const { listener } = stretch;
    stretch.listener = undefined;
    if (this.#reservedFor === stretch) this.#reservedFor = undefined;
    if (listener && listener === this.#reserve) listener.stop();
    else if (listener) this.#live.takeBack(listener);
  }

  #grammarOf(hints: SttHints): RecognitionGrammar {
    const key = grammarKey(hints, this.setup.fillerWeight);
    const known = this.#grammars.get(key);
    this.#grammars.delete(key);
    const grammar = known ?? buildGrammar(hints, this.#lexicon, this.setup.fillerWeight);
    this.#grammars.set(key, grammar);
    if (!known && grammar.missing.length > 0) this.say({ type: 'unspeakable', words: grammar.missing });
    const oldest = this.#grammars.keys().next().value;
    if (this.#grammars.size > GRAMMARS_MAX && oldest !== undefined) this.#grammars.delete(oldest);
    return grammar;
  }
}

const NOTHING = { text: '', confidence: 0 };

/** 0.9 as likely as any sounds, 0.5 at the fit where half of what is accepted is wrong. */
export function confidenceOf(fit: number): number {
  return 1 / (1 + Math.exp(-(fit + 15) / 5));
}
