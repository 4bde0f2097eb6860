import { createRequire } from 'node:module';

/** A native object; 0n or null when the library refused. */
export type Handle = object | bigint | null;

/** libpocketsphinx 0.8 (5prealpha) as far as it is used. Return values below 0 are failures unless said otherwise. */
export interface SphinxLibrary {
  /** Arguments as `-name`, `value` pairs. @returns a decoder, or undefined with the reason lost to the log. */
  createDecoder(args: readonly string[]): Handle | undefined;
  free(decoder: Handle): void;
  addWord(decoder: Handle, word: string, phones: string): number;
  /** Reads the text of a grammar; any decoder of this thread can use it. @returns undefined when it was refused. */
  readGrammar(decoder: Handle, text: string): Handle | undefined;
  /** Compiles `grammar` under `name`; the decoder holds it from then on. @returns false when a word of it was refused. */
  setGrammar(decoder: Handle, name: string, grammar: Handle): boolean;
  /** The reader's own hold on it. */
  freeGrammar(grammar: Handle): void;
  /** Reads a language model with the settings of `decoder`; any decoder of this thread can use it. @returns undefined when refused. */
  readLanguageModel(decoder: Handle, file: string): Handle | undefined;
  /** Reads classes of words from a file, each a word of `model` until then. @returns false when one was refused. */
  addClasses(model: Handle, file: string): boolean;
  /** Everything that a language model can say, about 70 ms. */
  wordsOf(model: Handle): string[];
  /** Makes `model` a search of `decoder`, which holds it from then on. @returns false when it was refused. */
  setLanguageModel(decoder: Handle, name: string, model: Handle): boolean;
  /** The reader's own hold on it. */
  freeLanguageModel(model: Handle): void;
  setSearch(decoder: Handle, name: string): number;
  unsetSearch(decoder: Handle, name: string): number;
  /** Frames of 10 ms on their way from a front end to decoders, `CEPSTRA` values each: room that all of a thread use. */
  readonly frames: Float32Array;
  /** What makes frames of sound, with the settings of `decoder`. @returns undefined when it was refused. */
  createFrontEnd(decoder: Handle): Handle | undefined;
  freeFrontEnd(frontEnd: Handle): void;
  /** Forgets what it heard, the noise of the line too. */
  startFrontEnd(frontEnd: Handle): void;
  /** @param samples - at most 640 ms. @returns how many frames it wrote to `frames`. */
  framesOf(frontEnd: Handle, samples: Int16Array): number;
  /** The frame that was begun. @returns 0 or 1. */
  lastFrameOf(frontEnd: Handle): number;
  startStretch(decoder: Handle): number;
  /** Hears the first `count` of `frames`. */
  processFrames(decoder: Handle, count: number): number;
  /** @param whole - `samples` is all there is, so means are taken over all of it. */
  process(decoder: Handle, samples: Int16Array, whole: boolean): number;
  endStretch(decoder: Handle): number;
  /** Tokens set apart by blanks, undefined when no path was complete; and how well the path fits, summed over all frames. */
  hypothesis(decoder: Handle): { readonly text: string | undefined; readonly score: number };
  /** Frames of 10 ms since the stretch began. */
  framesHeard(decoder: Handle): number;
}

/** Values of a frame; the first is its loudness. */
export const CEPSTRA = 13;
/** Of what a front end takes at once, and what it held back until it was speech. */
const FRAMES_AT_ONCE = 256;
/**
 * More at once than a decoder without a second pass has room for, which is 12, puts its frames out of step: the words are lost, or the library
 * ends the process ("hmm_frame == frame_idx").
 */
const FRAMES_A_CALL = 6;

type NativeFunction = (...args: unknown[]) => unknown;
interface NativeLibrary {
  func(prototype: string): NativeFunction;
}
interface Ffi {
  load(path: string): NativeLibrary;
  address(memory: Float32Array): bigint;
  decode(pointer: unknown, type: string, length: number): ArrayLike<number> & Iterable<number>;
}

/** Scales weights against sound, as in the library's own default. */
const LANGUAGE_WEIGHT = 6.5;
/** NGRAM_AUTO of <ngram_model.h>: by the content of the file. */
const ANY_FORMAT = 0;
const SO_NAMES = { base: 'libsphinxbase.so.3', sphinx: 'libpocketsphinx.so.3', c: 'libc.so.6' };
/** RTLD_NOW | RTLD_NODELETE of <dlfcn.h>. */
const STAY_LOADED = 0x2 | 0x1000;

/**
 * Loads the native library. Only for worker threads: calls hold the thread for as long as they compute.
 *
 * @throws Error when koffi or one of the libraries is not there.
 */
export function loadSphinxLibrary(): SphinxLibrary {
  const ffi = createRequire(import.meta.url)('koffi') as Ffi;
  const base = ffi.load(SO_NAMES.base);
  const sphinx = ffi.load(SO_NAMES.sphinx);
  const c = ffi.load(SO_NAMES.c);
  // When the last thread ends, koffi would unload it, and with it libquadmath (by way of LAPACK), whose printf hooks glibc
  // cannot take back: the next number that V8 prints of its garbage collection would jump into the void.
  c.func('void* dlopen(const char*, int)')(SO_NAMES.sphinx, STAY_LOADED);
  const setLog = base.func('void err_set_logfp(void*)');
  const parseArguments = base.func('void* cmd_ln_parse_r(void*, void*, int, char**, int)');
  const freeArguments = base.func('int cmd_ln_free_r(void*)');
  const readGrammar = base.func('void* fsg_model_read(void*, void*, float)');
  const freeGrammar = base.func('int fsg_model_free(void*)');
  const readNgrams = base.func('void* ngram_model_read(void*, const char*, int, void*)');
  const freeNgrams = base.func('int ngram_model_free(void*)');
  const readClasses = base.func('int ngram_model_read_classdef(void*, const char*)');
  const ngramCounts = base.func('const uint32_t* ngram_model_get_counts(void*)');
  const ngramWord = base.func('const char* ngram_word(void*, int32_t)');
  const createFrontEnd = base.func('void* fe_init_auto_r(void*)');
  const freeFrontEnd = base.func('int fe_free(void*)');
  const startStream = base.func('void fe_start_stream(void*)');
  const startSound = base.func('int fe_start_utt(void*)');
  const processSound = base.func(
    'int fe_process_frames(void*, _Inout_ void**, _Inout_ size_t*, void*, _Inout_ int32_t*, void*)',
  );
  const endSound = base.func('int fe_end_utt(void*, void*, _Out_ int32_t*)');
  const argumentTable = sphinx.func('void* ps_args()');
  const init = sphinx.func('void* ps_init(void*)');
  const free = sphinx.func('int ps_free(void*)');
  const addWord = sphinx.func('int ps_add_word(void*, const char*, const char*, int)');
  const logMath = sphinx.func('void* ps_get_logmath(void*)');
  const setFsg = sphinx.func('int ps_set_fsg(void*, const char*, void*)');
  const settingsOf = sphinx.func('void* ps_get_config(void*)');
  const setNgrams = sphinx.func('int ps_set_lm(void*, const char*, void*)');
  const setSearch = sphinx.func('int ps_set_search(void*, const char*)');
  const unsetSearch = sphinx.func('int ps_unset_search(void*, const char*)');
  const startUtterance = sphinx.func('int ps_start_utt(void*)');
  const processRaw = sphinx.func('int ps_process_raw(void*, const int16_t*, size_t, int, int)');
  const processCep = sphinx.func('int ps_process_cep(void*, void*, int, int, int)');
  const endUtterance = sphinx.func('int ps_end_utt(void*)');
  const getHypothesis = sphinx.func('const char* ps_get_hyp(void*, _Out_ int*)');
  const framesHeard = sphinx.func('int ps_get_n_frames(void*)');
  const openMemory = c.func('void* fmemopen(void*, size_t, const char*)');
  const closeFile = c.func('int fclose(void*)');
  const frames = new Float32Array(FRAMES_AT_ONCE * CEPSTRA);
  const framesAt = ffi.address(frames);
  const rows = BigUint64Array.from({ length: FRAMES_AT_ONCE }, (_, row) => framesAt + BigInt(4 * CEPSTRA * row));
  setLog(null); // none; a file would be closed twice by two threads that set it at once
  return {
    createDecoder(args) {
      const argv = ['nidaa', ...args];
      const config = parseArguments(null, argumentTable(), argv.length, argv, 1) as Handle;
      if (!config) return undefined;
      const decoder = init(config) as Handle;
      freeArguments(config); // the decoder holds its own reference
      return decoder ?? undefined;
    },
    free: (decoder) => void free(decoder),
    addWord: (decoder, word, phones) => addWord(decoder, word, phones, 0) as number,
    readGrammar(decoder, text) {
      const bytes = Buffer.from(text);
      const file = openMemory(bytes, bytes.length, 'r') as Handle;
      if (!file) return undefined;
      const grammar = readGrammar(file, logMath(decoder), LANGUAGE_WEIGHT) as Handle;
      closeFile(file);
      return grammar ?? undefined;
    },
    setGrammar: (decoder, name, grammar) => (setFsg(decoder, name, grammar) as number) >= 0,
    freeGrammar: (grammar) => void freeGrammar(grammar),
    readLanguageModel: (decoder, file) =>
      (readNgrams(settingsOf(decoder), file, ANY_FORMAT, logMath(decoder)) as Handle) ?? undefined,
    addClasses: (model, file) => (readClasses(model, file) as number) >= 0,
    wordsOf(model) {
      const [words] = ffi.decode(ngramCounts(model), 'uint32_t', 1);
      return Array.from({ length: words ?? 0 }, (_, id) => (ngramWord(model, id) as string | null) ?? '');
    },
    setLanguageModel: (decoder, name, model) => (setNgrams(decoder, name, model) as number) >= 0,
    freeLanguageModel: (model) => void freeNgrams(model),
    setSearch: (decoder, name) => setSearch(decoder, name) as number,
    unsetSearch: (decoder, name) => unsetSearch(decoder, name) as number,
    frames,
    createFrontEnd: (decoder) => (createFrontEnd(settingsOf(decoder)) as Handle) ?? undefined,
    freeFrontEnd: (frontEnd) => void freeFrontEnd(frontEnd),
    startFrontEnd(frontEnd) {
      startStream(frontEnd);
      startSound(frontEnd);
    },
    framesOf(frontEnd, samples) {
      const count = [FRAMES_AT_ONCE];
      processSound(frontEnd, [samples], [samples.length], rows, count, null);
      return count[0] ?? 0;
    },
    lastFrameOf(frontEnd) {
      const count = [0];
      endSound(frontEnd, frames, count);
      return count[0] ?? 0;
    },
    startStretch: (decoder) => startUtterance(decoder) as number,
    process: (decoder, samples, whole) => processRaw(decoder, samples, samples.length, 0, whole ? 1 : 0) as number,
    processFrames(decoder, count) {
      for (let at = 0; at < count; at += FRAMES_A_CALL) {
        const heard = processCep(decoder, rows.subarray(at), Math.min(count - at, FRAMES_A_CALL), 0, 0) as number;
        if (heard < 0) return heard;
      }
      return 0;
    },
    endStretch: (decoder) => endUtterance(decoder) as number,
    hypothesis(decoder) {
      const score = [0];
      const text = getHypothesis(decoder, score) as string | null;
      return { text: text ?? undefined, score: score[0] ?? 0 };
    },
    framesHeard: (decoder) => framesHeard(decoder) as number,
  };
}
