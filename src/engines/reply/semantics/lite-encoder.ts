import { createDenseKernel, type DenseKernel } from './dense-kernel.ts';
import { PieceTokenizer } from './piece-tokenizer.ts';
import type { Tensor, WeightFiles } from './weight-files.ts';

/** Pieces of a sentence that are looked at. */
const MAX_PIECES = 128;
const HEADS = 4;
const LAYERS = 2;
const EPSILON = 1e-6;
/** The kernel takes rows four by four. */
const ROW_BLOCK = 4;
const BYTES = 4;

interface Norm {
  readonly scale: Float32Array;
  readonly bias: Float32Array;
}
/** `y = x w + b`; the weights lie in the kernel's memory, a row for each output. */
interface Dense {
  readonly address: number;
  readonly inputs: number;
  readonly outputs: number;
  readonly bias: Float32Array;
}
interface Layer {
  readonly beforeAttention: Norm;
  readonly queriesKeysValues: Dense;
  readonly attended: Dense;
  /** Where the layer's input has another width than its output. */
  readonly widen: Dense | undefined;
  readonly beforeFeedForward: Norm;
  readonly hidden: Dense;
  readonly output: Dense;
}

/**
 * The Universal Sentence Encoder, lite (Cer and others 2018): sentences to vectors of length one, near each other where they
 * mean nearly the same. Pieces of words, two layers of attention and feed-forward, the mean of all places, one dense layer.
 * About 5 million multiplications a piece. Not for two threads at a time: its scratch memory is one.
 */
export class LiteEncoder {
  readonly size: number;
  readonly #tokenizer: PieceTokenizer;
  readonly #pieces: Tensor;
  readonly #timing: Float32Array;
  readonly #layers: readonly Layer[];
  readonly #last: Dense;
  readonly #kernel: DenseKernel;
  readonly #numbers: Float32Array; // the kernel's memory
  readonly #input: number; // addresses of scratch
  readonly #result: number;

  constructor(files: WeightFiles) {
    this.#tokenizer = new PieceTokenizer(files.vocabulary);
    const { shape, values } = files.tensor('Embeddings_en');
    this.#pieces = { shape, values: values.slice() };
    this.#timing = files.tensor('TimingSignal/ExpandDims_1').values.slice();
    const memory = new Allocation();
    const dense = (kernel: readonly string[], bias: readonly string[]): Dense =>
      memory.dense(files.tensor(...kernel), files.tensor(...bias).values.slice());
    this.#layers = Array.from({ length: LAYERS }, (_, n) => layerOf(files, dense, n));
    this.#last = dense(['tanh_layer_0/weights'], ['tanh_layer_0/bias']);
    const widest = Math.max(...memory.all.flatMap(({ inputs, outputs }) => [inputs, outputs]));
    this.#input = memory.take(MAX_PIECES * widest);
    this.#result = memory.take(MAX_PIECES * widest);
    this.size = this.#last.outputs;
    this.#kernel = createDenseKernel(memory.bytes);
    this.#numbers = new Float32Array(this.#kernel.memory);
    memory.fill(this.#numbers);
  }

  encode(text: string): Float32Array {
    const ids = this.#tokenizer.encode(text, MAX_PIECES);
    if (ids.length === 0) return new Float32Array(this.size);
    let states = this.#embed(ids);
    for (const layer of this.#layers) states = this.#through(layer, states, ids.length);
    const width = states.length / ids.length;
    const mean = new Float32Array(width);
    for (let i = 0; i < states.length; i += 1) mean[i % width]! += states[i]! / ids.length;
    const vector = this.#times(this.#last, mean, 1).map(Math.tanh);
    const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0)) || 1;
    return vector.map((x) => x / length);
  }

  /** The model was trained with its pieces added to themselves: once as they are, once with their place. */
  #embed(ids: readonly number[]): Float32Array {
    const width = this.#pieces.shape[1]!;
    const waves = this.#timing.length;
    const out = new Float32Array(ids.length * width);
    ids.forEach((id, place) => {
      const start = Math.min(id, this.#pieces.shape[0]! - 1) * width;
      for (let i = 0; i < width; i += 1) {
        const wave = place * this.#timing[i % waves]!;
        out[place * width + i] = 2 * this.#pieces.values[start + i]! + (i < waves ? Math.sin(wave) : Math.cos(wave));
      }
    });
    return out;
  }

  #through(layer: Layer, states: Float32Array, rows: number): Float32Array {
    const normed = normalized(states, layer.beforeAttention);
    const mixed = attend(this.#times(layer.queriesKeysValues, normed, rows), rows);
    const kept = layer.widen ? this.#times(layer.widen, states, rows) : states;
    const after = sumOf(this.#times(layer.attended, mixed, rows), kept);
    const hidden = this.#times(layer.hidden, normalized(after, layer.beforeFeedForward), rows);
    for (let i = 0; i < hidden.length; i += 1) if (hidden[i]! < 0) hidden[i] = 0;
    return sumOf(this.#times(layer.output, hidden, rows), after);
  }

  #times({ address, inputs, outputs, bias }: Dense, x: Float32Array, rows: number): Float32Array {
    const padded = Math.ceil(rows / ROW_BLOCK) * ROW_BLOCK;
    this.#numbers.set(x, this.#input / BYTES);
    this.#kernel.multiply(this.#input, address, this.#result, padded, inputs * BYTES, outputs);
    const from = this.#result / BYTES;
    const out = this.#numbers.slice(from, from + rows * outputs);
    for (let i = 0; i < out.length; i += 1) out[i]! += bias[i % outputs]!;
    return out;
  }
}

/** Where the weights will lie once the kernel's memory is there. */
class Allocation {
  readonly all: Dense[] = [];
  #tensors: { readonly address: number; readonly tensor: Tensor; readonly inputs: number }[] = [];
  bytes = 0;

  take(numbers: number): number {
    const address = this.bytes;
    this.bytes += Math.ceil((numbers * BYTES) / 16) * 16;
    return address;
  }

  dense(tensor: Tensor, bias: Float32Array): Dense {
    const outputs = tensor.shape.at(-1)!;
    const inputs = tensor.values.length / outputs;
    const made = { address: this.take(tensor.values.length), inputs, outputs, bias };
    this.#tensors.push({ address: made.address, tensor, inputs });
    this.all.push(made);
    return made;
  }

  /** Files hold a row for each input. */
  fill(numbers: Float32Array): void {
    for (const { address, tensor, inputs } of this.#tensors) {
      const outputs = tensor.values.length / inputs;
      const at = address / BYTES;
      for (let i = 0; i < inputs; i += 1)
        for (let o = 0; o < outputs; o += 1) numbers[at + o * inputs + i] = tensor.values[i * outputs + o]!;
    }
    this.#tensors = [];
  }
}

function layerOf(
  files: WeightFiles,
  dense: (kernel: readonly string[], bias: readonly string[]) => Dense,
  n: number,
): Layer {
  const part = (name: string): string => `/Layer_${n}/TransformerLayer/${name}`;
  const norm = (name: string): Norm => ({
    scale: files.tensor(part(`${name}layer_prepostprocess/layer_norm/layer_norm_scale`)).values.slice(),
    bias: files.tensor(part(`${name}layer_prepostprocess/layer_norm/layer_norm_bias`)).values.slice(),
  });
  const attention = (name: string): Dense =>
    dense([part(`MultiheadAttention/${name}/kernel`)], [part(`MultiheadAttention/${name}/bias`)]);
  const forward = (name: string): Dense => dense([part(`FFN/${name}/Tensordot/Reshape_1`)], [part(`FFN/${name}/bias`)]);
  return {
    beforeAttention: norm(''),
    queriesKeysValues: attention('qkv_transform_single'),
    attended: attention('output_transform_single'),
    widen: n === 0 ? dense([part('dense/kernel')], [part('dense/bias')]) : undefined,
    beforeFeedForward: norm('FFN/'),
    hidden: forward('conv1'),
    output: forward('conv2'),
  };
}

function normalized(x: Float32Array, { scale, bias }: Norm): Float32Array {
  const width = scale.length;
  const out = new Float32Array(x.length);
  for (let start = 0; start < x.length; start += width) {
    let mean = 0;
    for (let i = 0; i < width; i += 1) mean += x[start + i]! / width;
    let variance = 0;
    for (let i = 0; i < width; i += 1) variance += (x[start + i]! - mean) ** 2 / width;
    const by = 1 / Math.sqrt(variance + EPSILON);
    for (let i = 0; i < width; i += 1) out[start + i] = (x[start + i]! - mean) * by * scale[i]! + bias[i]!;
  }
  return out;
}

/** Scaled dot-product attention of every place to every place. @param all - queries, keys and values side by side. */
function attend(all: Float32Array, rows: number): Float32Array {
  const width = all.length / rows / 3;
  const head = width / HEADS;
  const out = new Float32Array(rows * width);
  const weights = new Float64Array(rows);
  for (let h = 0; h < HEADS; h += 1) {
    for (let row = 0; row < rows; row += 1) {
      const query = row * 3 * width + h * head;
      let top = Number.NEGATIVE_INFINITY;
      for (let other = 0; other < rows; other += 1) {
        const key = (other * 3 + 1) * width + h * head;
        let dot = 0;
        for (let i = 0; i < head; i += 1) dot += all[query + i]! * all[key + i]!;
        weights[other] = dot / Math.sqrt(head);
        top = Math.max(top, weights[other]!);
      }
      let total = 0;
      for (let other = 0; other < rows; other += 1) {
        weights[other] = Math.exp(weights[other]! - top);
        total += weights[other]!;
      }
      for (let other = 0; other < rows; other += 1) {
        const value = (other * 3 + 2) * width + h * head;
        const share = weights[other]! / total;
        for (let i = 0; i < head; i += 1) out[row * width + h * head + i]! += share * all[value + i]!;
      }
    }
  }
  return out;
}

function sumOf(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((x, i) => x + b[i]!);
}
