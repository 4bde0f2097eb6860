import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../../../core/errors.ts';
import type { PieceRow } from './piece-tokenizer.ts';

/** Numbers of a model, row by row: a view of all of them, so copy what is to be kept. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

interface WeightGroup {
  readonly paths: readonly string[];
  readonly weights: readonly {
    readonly name: string;
    readonly shape: readonly number[];
    readonly dtype: string;
    readonly quantization?: unknown;
  }[];
}

/** The files of a sentence model: `model.json` with the list of weights, the weights beside it, `vocab.json`. */
export interface WeightFiles {
  readonly vocabulary: readonly PieceRow[];
  /** The one tensor in whose name all parts stand. @throws OperatorError where there is none, or several. */
  tensor(...parts: readonly string[]): Tensor;
}

const BYTES_PER_NUMBER = 4;

/** @param folder - of the model. @throws OperatorError when it is not there or not whole. */
export function readWeightFiles(folder: string): WeightFiles {
  const fail = (why: string): OperatorError => new OperatorError(`engines.sentenceModel: ${folder}: ${why}`);
  const read = (name: string): Buffer => {
    try {
      return readFileSync(join(folder, name));
    } catch {
      throw fail(`cannot read ${name}`);
    }
  };
  const weightsIn = (names: readonly string[]): Buffer => {
    try {
      return joined(names.map((name) => join(folder, name)));
    } catch {
      throw fail(`cannot read ${names.join(', ')}`);
    }
  };
  const json = <T>(name: string): T => {
    try {
      return JSON.parse(read(name).toString('utf8')) as T;
    } catch (error) {
      throw error instanceof OperatorError ? error : fail(`${name} is no JSON`);
    }
  };
  const groups = json<{ weightsManifest?: readonly WeightGroup[] }>('model.json').weightsManifest ?? [];
  const tensors = new Map<string, Tensor>();
  for (const { paths, weights } of groups) {
    const bytes = weightsIn(paths);
    let offset = 0;
    for (const { name, shape, dtype, quantization } of weights) {
      if (quantization !== undefined) throw fail('weights of less than four bytes are not read');
      const count = shape.reduce((product, size) => product * size, 1);
      const end = offset + count * BYTES_PER_NUMBER;
      if (end > bytes.length) throw fail('the files of weights are shorter than their list');
      if (dtype === 'float32') {
        tensors.set(name, { shape, values: new Float32Array(bytes.buffer, bytes.byteOffset + offset, count) });
      }
      offset = end;
    }
  }
  return {
    vocabulary: json('vocab.json'),
    tensor(...parts) {
      const found = [...tensors].filter(([name]) => parts.every((part) => name.includes(part)));
      if (found.length !== 1) throw fail(`expected one tensor ${parts.join(' ')}, found ${found.length}`);
      return found[0]![1];
    },
  };
}

/** One file after the other, in memory of its own: numbers in it are looked at where they lie. @throws what reading throws */
function joined(paths: readonly string[]): Buffer {
  const sizes = paths.map((path) => statSync(path).size);
  const all = Buffer.alloc(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  for (const [i, path] of paths.entries()) {
    const file = openSync(path, 'r');
    try {
      readSync(file, all, at, sizes[i]!, 0);
    } finally {
      closeSync(file);
    }
    at += sizes[i]!;
  }
  return all;
}
