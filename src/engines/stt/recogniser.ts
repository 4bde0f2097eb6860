import type { Clock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import type { SttHints } from './contract.ts';
import { buildGrammar, grammarKey, type RecognitionGrammar } from './grammar.ts';
import { Lexicon } from './lexicon.ts';
import { LiveDecoders } from './live-decoders.ts';
import type { RecogniserMessage, Say, ToWorker, WorkerSetup } from './pocketsphinx-protocol.ts';
import { SharedGrammars } from './shared-grammars.ts';
import { SphinxDecoder } from './sphinx-decoder.ts';
import type { SphinxLibrary } from './sphinx-library.ts';
import { isFiller, spokenText } from './spoken-tokens.ts';
import { StretchAudio } from './stretch-audio.ts';

/** Grammars kept as text, the least recently used one leaves. */
const GRAMMARS_MAX = 64;
/** Text of compiled grammars that the decoder for finals keeps, 23 MB and 12 that are shared: four of a large agent, or many small ones. */
const FINAL_CHARACTERS_MAX = 270_000;
/** The same of a decoder for interims: one large grammar or some small ones. */
const LIVE_CHARACTERS_MAX = 80_000;
/** Shorter stretches hold no word. */
const STRETCH_SAMPLES_MIN = 800;

interface Stretch {
  readonly grammar: RecognitionGrammar; // kept: finding it by its hints takes 2 ms, which the final would wait for
  readonly keep: boolean;
  readonly audio: StretchAudio;
  live: SphinxDecoder | undefined;
  interim: string;
}

/** What a thread for speech by grammar does with its messages: stretches of speech in, texts out. One thread, no waiting. */
export class Recogniser {
  readonly #stretches = new Map<number, Stretch>();
  readonly #grammars = new Map<string, RecognitionGrammar>();
  readonly #lexicon: Lexicon;
  readonly #finals: SphinxDecoder;
  readonly #live: LiveDecoders<SphinxDecoder>;

  /** @throws Error when the model is refused. */
  constructor(
    readonly setup: WorkerSetup,
    readonly library: SphinxLibrary,
    dictionary: Buffer,
    readonly say: Say,
    clock: Clock,
  ) {
    this.#lexicon = new Lexicon(dictionary);
    const shared = new SharedGrammars(library);
    const decoder = (charactersMax: number) => new SphinxDecoder(library, setup.model, charactersMax, shared);
    this.#finals = decoder(FINAL_CHARACTERS_MAX);
    this.#live = new LiveDecoders(setup.liveDecodersMax, () => decoder(LIVE_CHARACTERS_MAX), setup.idleMs, clock);
  }

  handle(message: RecogniserMessage): void {
    if (message.type === 'prepare') {
      this.#grammarOf(message.hints);
      return;
    }
    try {
      if (message.type === 'begin') this.#begin(message);
      else if (message.type === 'audio') this.#feed(message.id, message.samples);
      else if (message.type === 'finish') this.#finish(message.id);
      else this.#drop(message.id);
    } catch (error) {
      this.#drop(message.id);
      this.say({ type: 'failed', id: message.id, why: errorText(error) });
    }
  }

  /** Gives back what further stretches can do without. @returns false while there is a stretch. */
  release(): boolean {
    if (this.#stretches.size > 0) return false;
    this.#live.release();
    this.#finals.forget();
    return true;
  }

  close(): void {
    for (const id of [...this.#stretches.keys()]) this.#drop(id);
    this.#live.release();
    this.#finals.close();
  }

  #begin(message: ToWorker & { readonly type: 'begin' }): void {
    const grammar = this.#grammarOf(message.hints);
    const stretch: Stretch = {
      grammar,
      keep: message.keep,
      audio: new StretchAudio(),
      live: undefined,
      interim: '',
    };
    this.#stretches.set(message.id, stretch);
    if (message.interim) stretch.live = this.#live.lend(grammar, this.#stretches.size);
    this.#finals.prepare(grammar); // while it is spoken
  }

  #feed(id: number, samples: Int16Array): void {
    const stretch = this.#stretches.get(id);
    if (!stretch) return;
    stretch.audio.push(samples);
    const tokens = stretch.live?.feedLive(samples) ?? [];
    const text = tokens.some(isFiller) ? '' : spokenText(tokens);
    if (text !== '' && text !== stretch.interim) {
      stretch.interim = text;
      this.say({ type: 'interim', id, text });
    }
    this.say({ type: 'taken', id, samples: samples.length });
  }

  #finish(id: number): void {
    const stretch = this.#stretches.get(id);
    if (!stretch) return;
    this.#drop(id);
    const samples = stretch.audio.joined();
    const { text, confidence } =
      samples.length < STRETCH_SAMPLES_MIN ? NOTHING : this.#recognise(stretch.grammar, samples);
    if (text === '' && stretch.keep)
      this.say({ type: 'final', id, text, confidence, samples }, [samples.buffer as ArrayBuffer]);
    else this.say({ type: 'final', id, text, confidence });
  }

  #drop(id: number): void {
    const stretch = this.#stretches.get(id);
    if (!stretch) return;
    this.#stretches.delete(id);
    if (stretch.live) this.#live.takeBack(stretch.live);
  }

  #recognise(grammar: RecognitionGrammar, samples: Int16Array): { text: string; confidence: number } {
    const decoded = this.#finals.recognise(grammar, samples);
    if (decoded.fit < this.setup.minFit) return NOTHING;
    const text = spokenText(decoded.tokens);
    return text === '' ? NOTHING : { text, confidence: confidenceOf(decoded.fit) };
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
