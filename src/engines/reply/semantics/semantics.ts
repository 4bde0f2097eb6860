import { type Clock, delay } from '../../../core/clock.ts';
import { errorText } from '../../../core/errors.ts';
import type { Logger } from '../../../core/logger.ts';
import type { CompiledAgent } from '../compiled-agent.ts';
import { clip, languageOfText, MAX_INPUT_CHARS, wordsOf } from '../fold.ts';
import type { SentenceEncoder } from './encoder.ts';
import { SemanticIndex } from './semantic-index.ts';

export interface SemanticsDeps {
  readonly encoder: SentenceEncoder;
  readonly clock: Clock;
  readonly logger?: Logger;
}

/** A caller waits no longer than this for what a sentence is near to; without it the words alone decide. */
const PATIENCE_MS = 150;
/** Between two batches of an agent's examples a caller's sentence has its turn. */
const EXAMPLES_PER_BATCH = 8;
/** Sentences whose vectors are kept; the least recently heard go first. */
const MAX_REMEMBERED = 1_000;

/** How near a sentence is to the meanings of an agent, by what it says and not by its words. */
export class Semantics {
  readonly #indexes = new WeakMap<CompiledAgent, { index?: SemanticIndex }>();
  readonly #vectors = new Map<string, Float32Array>();
  readonly #deps: SemanticsDeps;

  constructor(deps: SemanticsDeps) {
    this.#deps = deps;
  }

  /** Reads the examples of an agent, once. Never rejects: an agent that is not read is understood by words alone. */
  async learn(agent: CompiledAgent): Promise<void> {
    if (this.#indexes.has(agent)) return;
    const entry: { index?: SemanticIndex } = {};
    this.#indexes.set(agent, entry);
    try {
      const examples = new Map<string, readonly Float32Array[]>();
      for (const [id, sentences] of agent.examples) {
        const texts = sentences.filter((text) => this.#reads(text)).map(saidAs);
        const vectors: Float32Array[] = [];
        for (let at = 0; at < texts.length; at += EXAMPLES_PER_BATCH)
          vectors.push(...(await this.#deps.encoder.encode(texts.slice(at, at + EXAMPLES_PER_BATCH))));
        if (vectors.length > 0) examples.set(id, vectors);
      }
      if (examples.size > 0) entry.index = new SemanticIndex(examples);
    } catch (error) {
      this.#deps.logger?.warn(
        { error: errorText(error) },
        'the examples of an agent were not read by the sentence model',
      );
    }
  }

  /** Makes what callers said known to `near`, waiting `PATIENCE_MS` at most. */
  async hear(agent: CompiledAgent, texts: readonly string[], signal: AbortSignal): Promise<void> {
    if (this.#indexes.get(agent)?.index === undefined) return;
    const fresh = [...new Set(texts.map(saidAs))].filter((text) => this.#reads(text) && !this.#vectors.has(text));
    if (fresh.length === 0) return;
    const heard = this.#read(fresh);
    const done = new AbortController();
    const wait = delay(this.#deps.clock, PATIENCE_MS, AbortSignal.any([signal, done.signal]));
    await Promise.race([heard.finally(() => done.abort()), wait]);
  }

  /** The likeness, -1..1, of what was said to each meaning; undefined where nothing is known of it. */
  near(agent: CompiledAgent, text: string): ReadonlyMap<string, number> | undefined {
    const index = this.#indexes.get(agent)?.index;
    const said = saidAs(text);
    const vector = index && this.#vectors.get(said);
    if (!vector) return undefined;
    this.#remember(said, vector);
    return index.near(vector);
  }

  async close(): Promise<void> {
    await this.#deps.encoder.close();
  }

  async #read(texts: readonly string[]): Promise<void> {
    try {
      const vectors = await this.#deps.encoder.encode(texts);
      for (const [i, text] of texts.entries()) this.#remember(text, vectors[i]!);
    } catch (error) {
      this.#deps.logger?.warn({ error: errorText(error) }, 'a sentence was not read by the sentence model');
    }
  }

  #reads(text: string): boolean {
    const language = languageOfText(text);
    return language !== undefined && this.#deps.encoder.languages.includes(language);
  }

  #remember(text: string, vector: Float32Array): void {
    this.#vectors.delete(text);
    this.#vectors.set(text, vector);
    if (this.#vectors.size > MAX_REMEMBERED) this.#vectors.delete(this.#vectors.keys().next().value!);
  }
}

/** A turn and the words it was parted into are one sentence. */
function saidAs(text: string): string {
  return wordsOf(clip(text, MAX_INPUT_CHARS))
    .map(({ raw }) => raw.toLowerCase())
    .join(' ');
}
