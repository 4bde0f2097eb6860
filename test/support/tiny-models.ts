import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OnnxNode, onnxFile, type Shape } from './onnx-file.ts';

/**
 * The smallest models that sherpa-onnx takes, a few kilobytes each. Ears hear two words: one for a tone below 1 kHz, and one
 * for a tone above 2 kHz. Voices say a tone of 50 ms for each letter.
 */

const MELS = 80;
/** Mel bands of a tone of 300 to 900 Hz, and of 2 to 3.4 kHz, of 80 up to 8 kHz. */
const LOW_BANDS = [8, 26] as const;
const HIGH_BANDS = [42, 58] as const;
/** The sum of one word's bands, taken from the others', against that of the blank. */
const WEIGHT = 1 / 16;
const WORDS = ['low', 'high'] as const;
/** Each is one token, spaces and all. */
const tokensOf = (words: readonly [string, string]): string[] => words.map((word) => `▁${word.replaceAll(' ', '▁')}`);

function writeModel(folder: string, files: Readonly<Record<string, Buffer | string>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

/** Of 80 bands [bands, 3] to how much each of `columns` is heard: bands of its own for it, the other's against it. */
function listening(low: number, high: number): Float32Array {
  const weights = new Float32Array(MELS * 3);
  for (let band = 0; band < MELS; band += 1) {
    const isLow = band >= LOW_BANDS[0] && band < LOW_BANDS[1];
    const isHigh = band >= HIGH_BANDS[0] && band < HIGH_BANDS[1];
    if (isLow) weights[band * 3 + low] = WEIGHT;
    if (isHigh) weights[band * 3 + high] = WEIGHT;
    if (isLow) weights[band * 3 + high] = -WEIGHT;
    if (isHigh) weights[band * 3 + low] = -WEIGHT;
  }
  return weights;
}

/** A CTC model as those of NeMo: features [N, 80, T] to [N, T, 3], blank last. */
export function tinyNemoCtc(folder: string): string {
  const model = onnxFile({
    inputs: {
      audio_signal: { type: 'float', shape: ['N', MELS, 'T'] },
      length: { type: 'int64', shape: ['N'] },
    },
    outputs: { logprobs: { type: 'float', shape: ['N', 'T', 3] } },
    constants: { weights: listening(0, 1), bias: new Float32Array([-3, -3, 0]) },
    dims: { weights: [MELS, 3] },
    nodes: [
      { op: 'Transpose', inputs: ['audio_signal'], outputs: ['frames'], attributes: { perm: [0, 2, 1] } },
      { op: 'MatMul', inputs: ['frames', 'weights'], outputs: ['heard'] },
      { op: 'Add', inputs: ['heard', 'bias'], outputs: ['logits'] },
      { op: 'LogSoftmax', inputs: ['logits'], outputs: ['logprobs'], attributes: { axis: 2 } },
    ],
    metadata: { vocab_size: '2', subsampling_factor: '1', normalize_type: 'NA', model_type: 'EncDecCTCModelBPE' },
  });
  const tokens = [...tokensOf(WORDS), '<blk>'].map((token, id) => `${token} ${id}`).join('\n');
  return writeModel(folder, { 'model.onnx': model, 'tokens.txt': `${tokens}\n` });
}

const CHUNK_FRAMES = 16;
/** Frames to one that is decoded, as the library takes for granted. */
const SUBSAMPLING = 4;
/** States of a Zipformer with one layer of the least size; each is given back as it came. */
const STATES: Readonly<Record<string, Shape>> = {
  cached_key_0: [4, 'N', 4],
  cached_nonlin_attn_0: [1, 'N', 4, 3],
  cached_val1_0: [4, 'N', 4],
  cached_val2_0: [4, 'N', 4],
  cached_conv1_0: ['N', 4, 1],
  cached_conv2_0: ['N', 4, 1],
  embed_states: ['N', 128, 3, 19],
};

/** A streaming transducer with a Zipformer's shape. It says a word once, and again after another one. */
export function tinyTransducer(folder: string, words: readonly [string, string] = WORDS): string {
  const state = (type: 'float' | 'int64', shape: Shape) => ({ type, shape });
  const states = Object.entries(STATES).map(([name, shape]) => [name, state('float', shape)] as const);
  const processed = ['processed_lens', state('int64', ['N'])] as const;
  const all = [...states, processed];
  const same: OnnxNode[] = all.map(([name]) => ({ op: 'Identity', inputs: [name], outputs: [`new_${name}`] }));
  const encoder = onnxFile({
    inputs: { x: { type: 'float', shape: ['N', CHUNK_FRAMES, MELS] }, ...Object.fromEntries(all) },
    outputs: {
      encoder_out: { type: 'float', shape: ['N', CHUNK_FRAMES / SUBSAMPLING, 3] },
      ...Object.fromEntries(all.map(([name, what]) => [`new_${name}`, what])),
    },
    constants: {
      weights: listening(1, 2),
      bias: new Float32Array([0, -5, -5]),
      ...Object.fromEntries(
        Object.entries({ starts: 0, ends: CHUNK_FRAMES, axes: 1, steps: SUBSAMPLING }).map(([name, value]) => [
          name,
          BigInt64Array.from([BigInt(value)]),
        ]),
      ),
    },
    dims: { weights: [MELS, 3] },
    nodes: [
      { op: 'Slice', inputs: ['x', 'starts', 'ends', 'axes', 'steps'], outputs: ['some'] },
      { op: 'MatMul', inputs: ['some', 'weights'], outputs: ['heard'] },
      { op: 'Add', inputs: ['heard', 'bias'], outputs: ['encoder_out'] },
      ...same,
    ],
    metadata: {
      ...{ model_type: 'zipformer2', version: '1', T: `${CHUNK_FRAMES}`, decode_chunk_len: `${CHUNK_FRAMES}` },
      ...{ num_encoder_layers: '1', encoder_dims: '4', cnn_module_kernels: '3', left_context_len: '4' },
      ...{ query_head_dims: '4', value_head_dims: '4', num_heads: '1' },
    },
  });
  const decoder = onnxFile({
    inputs: { y: { type: 'int64', shape: ['N', 1] } },
    outputs: { decoder_out: { type: 'float', shape: ['N', 3] } },
    constants: {
      said: new Float32Array([0, 0, 0, 0, -1000, 0, 0, 0, -1000]),
      shape: BigInt64Array.from([-1n, 3n]),
    },
    dims: { said: [3, 3] },
    nodes: [
      { op: 'Gather', inputs: ['said', 'y'], outputs: ['rows'], attributes: { axis: 0 } },
      { op: 'Reshape', inputs: ['rows', 'shape'], outputs: ['decoder_out'] },
    ],
    metadata: { vocab_size: '3', context_size: '1' },
  });
  const joiner = onnxFile({
    inputs: {
      encoder_out: { type: 'float', shape: ['N', 3] },
      decoder_out: { type: 'float', shape: ['N', 3] },
    },
    outputs: { logit: { type: 'float', shape: ['N', 3] } },
    constants: {},
    nodes: [{ op: 'Add', inputs: ['encoder_out', 'decoder_out'], outputs: ['logit'] }],
    metadata: { joiner_dim: '3' },
  });
  const tokens = ['<blk>', ...tokensOf(words)].map((token, id) => `${token} ${id}`).join('\n');
  return writeModel(folder, {
    ...{ 'encoder-chunk-16.onnx': encoder, 'decoder.onnx': decoder, 'joiner.onnx': joiner },
    'tokens.txt': `${tokens}\n`,
  });
}

const VOICE_RATE_HZ = 16_000;
const LETTER_SAMPLES = 800;
const LETTERS = [
  ...'_ abcdefghijklmnopqrstuvwxyz0123456789.,?!\'-;:<>/&`$()"',
  ...'ابتثجحخدذرزسشصضطظعغفقكلمنهويىةأإآؤئء؟،ًٌٍَُِّْ',
];

/** A voice as VITS models are, with letters for phonemes: x [1, L] to y [1, 1, S]. Letters are 50 ms, `length_scale` as they should be. */
export function tinyVits(folder: string): string {
  const waves = new Float32Array(LETTERS.length * LETTER_SAMPLES);
  for (let letter = 1; letter < LETTERS.length; letter += 1) {
    const hz = 300 + 20 * letter;
    for (let i = 0; i < LETTER_SAMPLES; i += 1) {
      waves[letter * LETTER_SAMPLES + i] = 0.25 * Math.sin((2 * Math.PI * hz * i) / VOICE_RATE_HZ);
    }
  }
  const model = onnxFile({
    inputs: {
      x: { type: 'int64', shape: [1, 'L'] },
      x_length: { type: 'int64', shape: [1] },
      noise_scale: { type: 'float', shape: [1] },
      length_scale: { type: 'float', shape: [1] },
      noise_scale_w: { type: 'float', shape: [1] },
    },
    outputs: { y: { type: 'float', shape: [1, 1, 'S'] } },
    constants: {
      waves,
      ones: new Float32Array([1, 1]),
      no: new Float32Array([]),
      flat: BigInt64Array.from([1n, 1n, -1n]),
      axes: BigInt64Array.from([2n]),
    },
    dims: { waves: [LETTERS.length, LETTER_SAMPLES], no: [0] },
    nodes: [
      { op: 'Gather', inputs: ['waves', 'x'], outputs: ['said'], attributes: { axis: 0 } },
      { op: 'Reshape', inputs: ['said', 'flat'], outputs: ['whole'] },
      { op: 'Concat', inputs: ['ones', 'length_scale'], outputs: ['scales'], attributes: { axis: 0 } },
      {
        op: 'Resize',
        inputs: ['whole', 'no', 'scales'],
        outputs: ['y'],
        attributes: { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' },
      },
    ],
    metadata: {
      ...{ model_type: 'vits', comment: 'tiny', language: 'English', frontend: 'characters', punctuation: '. ,' },
      ...{ sample_rate: `${VOICE_RATE_HZ}`, n_speakers: '1', add_blank: '0', use_eos_bos: '0', has_espeak: '0' },
    },
  });
  const tokens = LETTERS.map((letter, id) => `${letter} ${id}`).join('\n');
  return writeModel(folder, { 'model.onnx': model, 'tokens.txt': `${tokens}\n` });
}

/** A detector as Silero's fifth: windows [1, 576] to how likely they are speech. A tone of 3 % of full scale is. */
export function tinyDetector(folder: string): string {
  const model = onnxFile({
    inputs: {
      input: { type: 'float', shape: [1, 'W'] },
      state: { type: 'float', shape: [2, 1, 128] },
      sr: { type: 'int64', shape: [1] },
    },
    outputs: {
      output: { type: 'float', shape: [1, 1] },
      stateN: { type: 'float', shape: [2, 1, 128] },
    },
    constants: { times: new Float32Array([20]) },
    nodes: [
      { op: 'Abs', inputs: ['input'], outputs: ['loud'] },
      { op: 'ReduceMean', inputs: ['loud'], outputs: ['level'], attributes: { axes: [1], keepdims: 1 } },
      { op: 'Mul', inputs: ['level', 'times'], outputs: ['output'] },
      { op: 'Identity', inputs: ['state'], outputs: ['stateN'] },
    ],
    metadata: {},
  });
  return writeModel(folder, { 'silero_vad.onnx': model });
}

/** Frames of 10 ms at the end that the tiny judge of turns hears, and how sure it is. */
const JUDGED_FRAMES = 60;
const SURENESS = 16;

/** A judge of turns as smart-turn: what ended in the high tone is complete, what ended in the low one is not, 300 ms ago at most. */
export function tinySmartTurn(folder: string, input = 'input_features'): string {
  const weights = Float32Array.from({ length: MELS }, (_, band) => {
    const within = ([from, to]: readonly [number, number]) => (band >= from && band < to ? SURENESS / (to - from) : 0);
    return within(HIGH_BANDS) - within(LOW_BANDS);
  });
  const model = onnxFile({
    inputs: { [input]: { type: 'float', shape: [1, MELS, 800] } },
    outputs: { logits: { type: 'float', shape: [1, 1] } },
    constants: {
      weights,
      starts: BigInt64Array.from([BigInt(800 - JUDGED_FRAMES)]),
      ends: BigInt64Array.from([800n]),
      axes: BigInt64Array.from([2n]),
    },
    dims: { weights: [MELS, 1] },
    nodes: [
      { op: 'Slice', inputs: [input, 'starts', 'ends', 'axes'], outputs: ['end'] },
      { op: 'ReduceMean', inputs: ['end'], outputs: ['bands'], attributes: { axes: [2], keepdims: 0 } },
      { op: 'MatMul', inputs: ['bands', 'weights'], outputs: ['score'] },
      { op: 'Sigmoid', inputs: ['score'], outputs: ['logits'] },
    ],
    metadata: {},
  });
  return writeModel(folder, { 'smart-turn-tiny.onnx': model });
}

/** Tokens of the tiny Whisper, in their order: two words, then what steers it. */
const WHISPER = [
  ' low',
  ' high',
  'eot',
  'sot',
  'ar',
  'en',
  'translate',
  'transcribe',
  'no_speech',
  'blank',
  'no_timestamps',
];
const NEVER = -1_000;
/** What may follow a token, of `WHISPER`, and how likely where nothing was heard that decides it. */
const FOLLOWS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  sot: { ar: 0, en: 0 },
  no_timestamps: { ' low': 10, ' high': 0, eot: 0 },
  ' low': { ' high': 0, eot: 0 },
  ' high': { eot: 0 },
};

/** An encoder and a decoder as Whisper's: says which of the two words it heard, `low` first, and takes what is high for Arabic. */
export function tinyWhisper(folder: string): string {
  const size = WHISPER.length;
  const heard = listening(0, 1);
  const weights = new Float32Array(MELS * size);
  const bias = new Float32Array(size);
  for (const [column, word] of [
    [0, 0],
    [1, 1],
    [WHISPER.indexOf('ar'), 1],
  ] as const) {
    bias[column] = -0.25;
    for (let band = 0; band < MELS; band += 1) weights[band * size + column] = heard[band * 3 + word]!;
  }
  const id = (token: string): string => `${WHISPER.indexOf(token)}`;
  const cross: Shape = [1, 1, 1, size];
  const cache: Shape = [1, 'N', 64, 4];
  const encoder = onnxFile({
    inputs: { mel: { type: 'float', shape: ['N', MELS, 'T'] } },
    outputs: {
      n_layer_cross_k: { type: 'float', shape: cross },
      n_layer_cross_v: { type: 'float', shape: cross },
    },
    constants: {
      ...{
        weights,
        bias,
        times: new Float32Array([1_000]),
        least: new Float32Array([-50]),
        most: new Float32Array([50]),
      },
      flat: BigInt64Array.from([1n, 1n, 1n, BigInt(size)]),
    },
    dims: { weights: [MELS, size], least: [], most: [] },
    nodes: [
      { op: 'Transpose', inputs: ['mel'], outputs: ['frames'], attributes: { perm: [0, 2, 1] } },
      { op: 'MatMul', inputs: ['frames', 'weights'], outputs: ['scores'] },
      { op: 'ReduceMax', inputs: ['scores'], outputs: ['best'], attributes: { axes: [1], keepdims: 1 } },
      { op: 'Add', inputs: ['best', 'bias'], outputs: ['over'] },
      { op: 'Mul', inputs: ['over', 'times'], outputs: ['steep'] },
      { op: 'Clip', inputs: ['steep', 'least', 'most'], outputs: ['decided'] },
      { op: 'Reshape', inputs: ['decided', 'flat'], outputs: ['n_layer_cross_k'] },
      { op: 'Identity', inputs: ['n_layer_cross_k'], outputs: ['n_layer_cross_v'] },
    ],
    metadata: {
      ...{ n_mels: `${MELS}`, n_text_layer: '1', n_text_ctx: '64', n_text_state: '4', n_vocab: `${size}` },
      ...{ sot: id('sot'), eot: id('eot'), blank_id: id('blank'), no_speech: id('no_speech') },
      ...{ translate: id('translate'), transcribe: id('transcribe'), no_timestamps: id('no_timestamps') },
      ...{ is_multilingual: '1', all_language_tokens: `${id('ar')},${id('en')}`, all_language_codes: 'ar,en' },
      sot_sequence: `${id('sot')},${id('en')},${id('transcribe')}`,
    },
  });
  const next = new Float32Array(size * size).fill(NEVER);
  for (const [token, following] of Object.entries(FOLLOWS)) {
    for (const [one, weight] of Object.entries(following)) next[Number(id(token)) * size + Number(id(one))] = weight;
  }
  const decoder = onnxFile({
    inputs: {
      tokens: { type: 'int64', shape: ['N', 'L'] },
      in_n_layer_self_k_cache: { type: 'float', shape: cache },
      in_n_layer_self_v_cache: { type: 'float', shape: cache },
      n_layer_cross_k: { type: 'float', shape: cross },
      n_layer_cross_v: { type: 'float', shape: cross },
      offset: { type: 'int64', shape: [1] },
    },
    outputs: {
      logits: { type: 'float', shape: ['N', 'L', size] },
      out_n_layer_self_k_cache: { type: 'float', shape: cache },
      out_n_layer_self_v_cache: { type: 'float', shape: cache },
    },
    constants: { next, flat: BigInt64Array.from([1n, 1n, BigInt(size)]) },
    dims: { next: [size, size] },
    nodes: [
      { op: 'Gather', inputs: ['next', 'tokens'], outputs: ['following'], attributes: { axis: 0 } },
      { op: 'Reshape', inputs: ['n_layer_cross_k', 'flat'], outputs: ['heard'] },
      { op: 'Add', inputs: ['following', 'heard'], outputs: ['logits'] },
      { op: 'Identity', inputs: ['in_n_layer_self_k_cache'], outputs: ['out_n_layer_self_k_cache'] },
      { op: 'Identity', inputs: ['in_n_layer_self_v_cache'], outputs: ['out_n_layer_self_v_cache'] },
    ],
    metadata: {},
  });
  const tokens = WHISPER.map((token, at) => `${Buffer.from(token).toString('base64')} ${at}\n`).join('');
  return writeModel(folder, { 'tiny-encoder.onnx': encoder, 'tiny-decoder.onnx': decoder, 'tiny-tokens.txt': tokens });
}
