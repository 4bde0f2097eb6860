/** Recognisers for the turn-taking bench: the real one in this thread, and one that knows what is said, for Arabic. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lexicon } from '../../../dist/engines/stt/lexicon.js';
import { prepareModel } from '../../../dist/engines/stt/model-folder.js';
import { Recogniser } from '../../../dist/engines/stt/recogniser.js';
import { believed, triedAgainBelow } from '../../../dist/engines/stt/second-try.js';
import { SentenceDecoder } from '../../../dist/engines/stt/sentence-decoder.js';
import { loadSphinxLibrary } from '../../../dist/engines/stt/sphinx-library.js';

const PIECE = 480;
/** As `pocketsphinx.ts` sets the worker up. */
const SETUP = { fillerWeight: 0.02, minFit: -17, liveDecodersMax: 8, idleMs: 60_000, free: false };

/** A stream of events on the simulated clock. */
class Events {
  #events = [];
  #wake;
  push(event) {
    this.#events.push(event);
    this.#wake?.();
  }
  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.#events.length > 0) yield this.#events.shift();
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** A sentence that is heard once more as a whole takes so much of its length; one that was followed, at most so long. */
const AGAIN_SHARE = 0.11;
const FOLLOWED_MS = 150;

/**
 * English by grammar, and by the sentences of an agent's callers, in this thread: words come when their audio does, finals after
 * `finalMs` of simulated time.
 */
export class RealHearing {
  decodeMs = []; // real time
  #listeners = new Map();
  #id = 0;
  #decoder;
  #decoders = new Map();
  #folder = mkdtempSync(join(tmpdir(), 'nidaa-bench-'));
  constructor(setup = {}) {
    const model = prepareModel(this.#folder);
    const library = loadSphinxLibrary();
    const dictionary = readFileSync(model.dictionary);
    this.#decoder = (sentences) => new SentenceDecoder(library, model, new Lexicon(dictionary), sentences);
    this.recogniser = new Recogniser(
      { ...SETUP, ...setup, model },
      library,
      dictionary,
      (message) => this.#listeners.get(message.id)?.(message),
      { nowMs: () => performance.now(), utc: () => new Date(), setTimer: () => ({}), clearTimer: () => {} },
    );
  }
  close() {
    this.recogniser.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** By the sentences of an agent. */
  #decoderOf(sentences) {
    if (!this.#decoders.has(sentences)) this.#decoders.set(sentences, this.#decoder(sentences));
    return this.#decoders.get(sentences);
  }

  #tell(message) {
    this.recogniser.handle(message);
    while (this.recogniser.work()) {}
  }

  open(clock, hints, finalMs) {
    const events = new Events();
    const tell = (message) => this.#tell(message);
    let sound; // of the speaker, as far as words were understood
    let current;
    let piece = [];
    let latest = hints;
    let position = 0;
    const send = (stretch) => {
      if (piece.length > 0) tell({ type: 'audio', id: stretch.id, samples: Int16Array.from(piece) });
      piece = [];
    };
    return {
      write: ({ samples }) => {
        if (!current) {
          this.#id += 1;
          const { sentences, ...hints } = latest;
          current = { id: this.#id, startMs: position / 8, hints, sentences };
          this.#listeners.set(current.id, (message) => {
            if (message.type === 'interim') events.push({ type: 'interim', text: message.text });
          });
          const keepBelow = sentences && triedAgainBelow(hints, true);
          tell({ type: 'begin', id: current.id, hints, interim: true, keepBelow, sound });
        }
        position += samples.length;
        piece.push(...samples);
        if (piece.length >= PIECE) send(current);
      },
      flush: () => {
        const stretch = current;
        if (!stretch) return;
        current = undefined;
        send(stretch);
        let said = { text: '', confidence: 0 };
        this.#listeners.set(stretch.id, (message) => {
          if (message.type !== 'final') return;
          said = message;
          sound = message.sound ?? sound;
        });
        const began = performance.now();
        tell({ type: 'finish', id: stretch.id });
        this.decodeMs.push(performance.now() - began);
        this.#listeners.delete(stretch.id);
        let answer = said;
        let againMs = 0;
        if (said.samples) {
          answer = believed(said, this.#decoderOf(stretch.sentences).recognise(said.samples), stretch.hints);
          const wholeMs = (said.samples.length / 8) * AGAIN_SHARE;
          againMs = stretch.hints.expect.includes('free') ? Math.min(FOLLOWED_MS, wholeMs) : wholeMs;
        }
        const { text, confidence } = answer;
        clock.setTimer(finalMs + againMs, () =>
          events.push({ type: 'final', text, confidence, startMs: stretch.startMs, endMs: position / 8 }),
        );
      },
      hint: (hints) => {
        latest = hints;
      },
      end: () => {},
      [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
    };
  }
}

/** Knows what is said when: `script` is `[{ fromMs, toMs, text }]` of the caller's track. A word is known 250 ms after its end. */
export class KnownHearing {
  constructor(script, startedAtMs = 0) {
    this.script = script;
    this.startedAtMs = startedAtMs;
  }
  open(clock, _hints, finalMs) {
    const events = new Events();
    let fromMs;
    let untilMs = 0;
    let interim = '';
    const textOf = (endMs) =>
      this.script
        .filter((each) => each.toMs > fromMs - 300 && each.fromMs < endMs)
        .map(({ text, fromMs: start, toMs }) => {
          const words = text.split(' ').filter(Boolean);
          return words.slice(0, Math.floor((words.length * (endMs - start)) / (toMs - start) + 0.05)).join(' ');
        })
        .filter(Boolean)
        .join(' ');
    return {
      write: () => {
        const nowMs = clock.nowMs() - this.startedAtMs;
        fromMs ??= nowMs;
        untilMs = nowMs;
        const text = textOf(nowMs - 250);
        if (text === interim || text === '') return;
        interim = text;
        events.push({ type: 'interim', text });
      },
      flush: () => {
        if (fromMs === undefined) return;
        const text = textOf(untilMs);
        fromMs = undefined;
        interim = '';
        clock.setTimer(finalMs, () => events.push({ type: 'final', text, confidence: 0.9, startMs: 0, endMs: 0 }));
      },
      hint: () => {},
      end: () => {},
      [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
    };
  }
}
