import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WIDTH = 8;
const WIDER = 16;
const HIDDEN = 32;
const PIECES = ['<unk>', '<s>', '</s>', '<x>', '<y>', '<z>', '▁', 'a', 'b', '▁a', 'ab', '▁ab', 'c'];

/** Numbers between -0.2 and 0.2, the same each time. */
function numbers(count: number, seed: number): Float32Array {
  return Float32Array.from(
    { length: count },
    (_, i) => ((Math.imul(i + seed, 2_654_435_761) >>> 8) % 1_000) / 2_500 - 0.2,
  );
}

/** A sentence model of the real one's form with numbers that mean nothing, in a folder of its own. */
export function writeTinySentenceModel(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-sentence-model-'));
  const encode = 'module/Encoder_en/KonaTransformer/Encode';
  const dense = (name: string, inputs: number, outputs: number): [string, number[]][] => [
    [name, [inputs, outputs]],
    [name.replace(/kernel$|Tensordot\/Reshape_1$|weights$/, 'bias'), [outputs]],
  ];
  const norm = (name: string, width: number): [string, number[]][] => [
    [`${name}layer_prepostprocess/layer_norm/layer_norm_scale`, [width]],
    [`${name}layer_prepostprocess/layer_norm/layer_norm_bias`, [width]],
  ];
  const layer = (n: number, width: number): [string, number[]][] => {
    const at = `${encode}/Layer_${n}/TransformerLayer/`;
    return [
      ...norm(at, width),
      ...dense(`${at}MultiheadAttention/qkv_transform_single/kernel`, width, 3 * width),
      ...dense(`${at}MultiheadAttention/output_transform_single/kernel`, width, WIDER),
      ...(n === 0 ? dense(`${at}dense/kernel`, width, WIDER) : []),
      ...norm(`${at}FFN/`, WIDER),
      ...dense(`${at}FFN/conv1/Tensordot/Reshape_1`, WIDER, HIDDEN),
      ...dense(`${at}FFN/conv2/Tensordot/Reshape_1`, HIDDEN, WIDER),
    ];
  };
  const tensors: [string, number[]][] = [
    ['module/Embeddings_en', [PIECES.length, WIDTH]],
    [`${encode}/TimingSignal/ExpandDims_1`, [1, WIDTH / 2]],
    ...layer(0, WIDTH),
    ...layer(1, WIDER),
    ...dense('module/Encoder_en/hidden_layers/tanh_layer_0/weights', WIDER, WIDER),
  ];
  const values = tensors.map(([, shape], i) =>
    numbers(
      shape.reduce((product, size) => product * size, 1),
      97 * i,
    ),
  );
  const weights = tensors.map(([name, shape]) => ({ name, shape, dtype: 'float32' }));
  const bytes = Buffer.concat(values.map(({ buffer }) => Buffer.from(buffer)));
  const cut = Math.floor(bytes.length / 2); // the real weights come in several files too
  writeFileSync(join(folder, 'w1'), bytes.subarray(0, cut));
  writeFileSync(join(folder, 'w2'), bytes.subarray(cut));
  writeFileSync(join(folder, 'model.json'), JSON.stringify({ weightsManifest: [{ paths: ['w1', 'w2'], weights }] }));
  writeFileSync(join(folder, 'vocab.json'), JSON.stringify(PIECES.map((piece) => [piece, -piece.length - 1])));
  return folder;
}
