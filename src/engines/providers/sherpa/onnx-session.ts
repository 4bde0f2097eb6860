import { type Address, type FunctionName, loadLibrary } from './onnx-runtime.ts';

const LOG_ERRORS = 3;
const ALLOCATOR_ARENA = 1;
const MEMORY_DEFAULT = 0;
const ELEMENT_FLOAT = 1;
const ELEMENT_INT64 = 7;

/** Values that a model is given, in memory that stays where it is: what is written there is what the next run hears. */
export interface OnnxInput {
  readonly name: string;
  readonly tensor: Address;
  readonly values: Float32Array | BigInt64Array;
}

/** A model that is loaded; its names are known, its shapes are whoever runs it to know. */
export interface OnnxSession {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  input(name: string, values: Float32Array | BigInt64Array, shape: readonly number[]): OnnxInput;
  /** @param most - of each output that many values at most. @returns the outputs by their names. @throws Error with what the library says. */
  run(inputs: readonly OnnxInput[], outputs: readonly string[], most: number): readonly Float32Array[];
}

/** @throws Error where the library or the file is not what it should be. */
export function openOnnxSession(path: string, threads: number): OnnxSession {
  const { ffi, call, floats } = loadLibrary();
  const made = (name: FunctionName, ...args: unknown[]): Address => {
    const out: [Address | null] = [null];
    call(name, ...args, out);
    return out[0] as Address;
  };
  const options = made('CreateSessionOptions');
  call('SetIntraOpNumThreads', options, threads);
  call('SetInterOpNumThreads', options, 1);
  const session = made('CreateSession', made('CreateEnv', LOG_ERRORS, 'nidaa'), path, options);
  const allocator = made('GetAllocatorWithDefaultOptions');
  const names = (count: FunctionName, name: FunctionName): readonly string[] =>
    Array.from(
      { length: Number(made(count, session)) },
      (_, at) => made(name, session, at, allocator) as unknown as string,
    );
  const memory = made('CreateCpuMemoryInfo', ALLOCATOR_ARENA, MEMORY_DEFAULT);
  const floatsOf = (result: Address, name: string, most: number): Float32Array => {
    const shape = made('GetTensorTypeAndShape', result);
    try {
      const count = Number(made('GetTensorShapeElementCount', shape));
      if (count < 1 || Number(made('GetTensorElementType', shape)) !== ELEMENT_FLOAT) {
        throw new Error(`its output ${name} has ${count} values, or they are no floats`);
      }
      return floats(made('GetTensorMutableData', result), Math.min(count, most));
    } finally {
      call('ReleaseTensorTypeAndShapeInfo', shape);
    }
  };
  return {
    inputs: names('SessionGetInputCount', 'SessionGetInputName'),
    outputs: names('SessionGetOutputCount', 'SessionGetOutputName'),
    input: (name, values, shape) => {
      const type = values instanceof Float32Array ? ELEMENT_FLOAT : ELEMENT_INT64;
      const at = ffi.address(values);
      const tensor = made('CreateTensorWithDataAsOrtValue', memory, at, values.byteLength, shape, shape.length, type);
      return { name, tensor, values };
    },
    run: (inputs, outputs, most) => {
      const given = [inputs.map(({ name }) => name), inputs.map(({ tensor }) => tensor), inputs.length];
      const results: Address[] = outputs.map(() => 0);
      call('Run', session, 0, ...given, outputs, outputs.length, results);
      try {
        return results.map((result, at) => floatsOf(result, outputs[at]!, most));
      } finally {
        for (const result of results) call('ReleaseValue', result);
      }
    },
  };
}
