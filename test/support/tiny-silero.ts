import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OnnxModel, type OnnxNode, onnxFile, type Shape } from './onnx-file.ts';

/** How loud a window is for the tiny detector: full for a mean of 5 % of full scale. */
export const LOUDNESS = 20;

export interface TinySilero {
  /** `k2`: as another project exports it, for 16 kHz alone. */
  readonly version: 'v5' | 'v4' | 'k2';
  /** It takes one stream at once. */
  readonly single?: boolean;
  /** Shape of `sr`: exports differ. */
  readonly rateShape?: Shape;
  /** How likely a voice is, at most: more than 1 is no probability. */
  readonly most?: number;
}

/**
 * Silero's detector with its inputs and outputs, and the least of sense: how likely there is a voice is the mean of how loud this window
 * is and what it remembers of those before, so a probability tells all that was heard of a stream.
 */
export function tinySilero(folder: string, { version, single = false, rateShape = [1], most = 1 }: TinySilero): string {
  const n = single ? 1 : 'N';
  const width = version === 'v5' ? 128 : 64;
  const [memory, others] = version === 'v5' ? ['state', []] : ['h', ['c']];
  const outOf = (name: string): string => (version === 'v5' ? `${name}N` : `${name}n`);
  const shape: Shape = [2, n, width];
  const float = (of: Shape) => ({ type: 'float', shape: of }) as const;
  const nodes: OnnxNode[] = [
    { op: 'Abs', inputs: ['input'], outputs: ['rectified'] },
    { op: 'ReduceMean', inputs: ['rectified'], outputs: ['mean'], attributes: { axes: [1], keepdims: 1 } },
    { op: 'Mul', inputs: ['mean', 'times'], outputs: ['steep'] },
    { op: 'Clip', inputs: ['steep', 'least', 'most'], outputs: ['level'] },
    { op: 'Reshape', inputs: ['level', 'wide'], outputs: ['everywhere'] },
    { op: 'Add', inputs: [memory!, 'everywhere'], outputs: ['both'] },
    { op: 'Mul', inputs: ['both', 'half'], outputs: [outOf(memory!)] },
    { op: 'ReduceMean', inputs: [outOf(memory!)], outputs: ['likely'], attributes: { axes: [0, 2], keepdims: 0 } },
    { op: 'Reshape', inputs: ['likely', 'column'], outputs: ['output'] },
    ...others!.map((name) => ({ op: 'Identity', inputs: [name], outputs: [outOf(name)] })),
  ];
  const memories = [memory!, ...others!];
  const rate: OnnxModel['inputs'] = version === 'k2' ? {} : { sr: { type: 'int64', shape: rateShape } };
  const model = onnxFile({
    inputs: { input: float([n, 'W']), ...rate, ...Object.fromEntries(memories.map((name) => [name, float(shape)])) },
    outputs: { output: float([n, 1]), ...Object.fromEntries(memories.map((name) => [outOf(name), float(shape)])) },
    constants: {
      ...{ times: new Float32Array([LOUDNESS]), half: new Float32Array([0.5]) },
      ...{ least: new Float32Array([0]), most: new Float32Array([most]) },
      ...{ wide: BigInt64Array.from([1n, -1n, 1n]), column: BigInt64Array.from([-1n, 1n]) },
    },
    dims: { least: [], most: [] },
    nodes,
    metadata: {},
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'silero_vad.onnx'), model);
  return folder;
}
