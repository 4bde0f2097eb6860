/** The embedded recogniser without its threads: the same on a machine that is busy. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withBackchannels } from '../../../dist/call/barge-in.js';
import { BACKCHANNELS } from '../../../dist/core/backchannels.js';
import { buildGrammar } from '../../../dist/engines/stt/grammar.js';
import { GrammarListener } from '../../../dist/engines/stt/grammar-listener.js';
import { Lexicon } from '../../../dist/engines/stt/lexicon.js';
import { prepareModel } from '../../../dist/engines/stt/model-folder.js';
import { DEFAULT_MIN_FIT } from '../../../dist/engines/stt/pocketsphinx.js';
import { confidenceOf } from '../../../dist/engines/stt/recogniser.js';
import { believed, triedAgainBelow } from '../../../dist/engines/stt/second-try.js';
import { linesFor, SentenceDecoder } from '../../../dist/engines/stt/sentence-decoder.js';
import { SharedGrammars } from '../../../dist/engines/stt/shared-grammars.js';
import { loadSphinxLibrary } from '../../../dist/engines/stt/sphinx-library.js';
import { spokenText } from '../../../dist/engines/stt/spoken-tokens.js';

const CHARACTERS_MAX = 1_000_000;

export class Ear {
  #folder = mkdtempSync(join(tmpdir(), 'nidaa-ear-'));

  /** @param hints - of one state of an agent, sentences among them: all stretches are heard in it. */
  constructor({ sentences, ...hints }) {
    const library = loadSphinxLibrary();
    const model = prepareModel(this.#folder);
    const lexicon = new Lexicon(readFileSync(model.dictionary));
    this.hints = withBackchannels(hints, BACKCHANNELS.en);
    this.grammar = buildGrammar(this.hints, lexicon);
    this.listener = new GrammarListener(library, model, CHARACTERS_MAX, new SharedGrammars(library));
    /** All that can be heard, but digits of numbers. */
    this.words = [...new Set(linesFor(sentences).flat())];
    this.sentences = new SentenceDecoder(library, model, lexicon, sentences);
  }

  /** A stretch of 8 kHz. @returns `{ text, confidence }`. */
  hear(samples) {
    this.listener.start(this.grammar, undefined);
    this.listener.hear(samples);
    const { tokens, fit } = this.listener.finish();
    const text = fit < DEFAULT_MIN_FIT ? '' : spokenText(tokens);
    const first = { text, confidence: text === '' ? 0 : confidenceOf(fit) };
    if (text !== '' && first.confidence >= triedAgainBelow(this.hints, true)) return first;
    return believed(first, this.sentences.recognise(samples), this.hints);
  }

  close() {
    this.listener.close();
    this.sentences.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
