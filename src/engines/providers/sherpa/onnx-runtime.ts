import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { nativePackage } from './installed.ts';

/**
 * ONNX Runtime by its C interface: the library that sherpa-onnx brings along, for models that sherpa itself does not run. Its table of
 * functions only ever grows, so what is used here is where it was in its first version.
 *
 * @see onnxruntime_c_api.h, `OrtApi`
 */
const API_VERSION = 1;
const FUNCTIONS = {
  GetErrorMessage: { at: 2, prototype: 'const char* (uintptr_t)' },
  CreateEnv: { at: 3, prototype: 'uintptr_t (int, const char*, _Out_ uintptr_t*)' },
  CreateSession: { at: 7, prototype: 'uintptr_t (uintptr_t, const char*, uintptr_t, _Out_ uintptr_t*)' },
  Run: {
    at: 9,
    prototype:
      'uintptr_t (uintptr_t, uintptr_t, const char**, uintptr_t*, size_t, const char**, size_t, _Inout_ uintptr_t*)',
  },
  CreateSessionOptions: { at: 10, prototype: 'uintptr_t (_Out_ uintptr_t*)' },
  SetIntraOpNumThreads: { at: 24, prototype: 'uintptr_t (uintptr_t, int)' },
  SetInterOpNumThreads: { at: 25, prototype: 'uintptr_t (uintptr_t, int)' },
  SessionGetInputCount: { at: 30, prototype: 'uintptr_t (uintptr_t, _Out_ size_t*)' },
  SessionGetInputName: { at: 36, prototype: 'uintptr_t (uintptr_t, size_t, uintptr_t, _Out_ const char**)' },
  SessionGetOutputName: { at: 37, prototype: 'uintptr_t (uintptr_t, size_t, uintptr_t, _Out_ const char**)' },
  CreateTensorWithDataAsOrtValue: {
    at: 49,
    prototype: 'uintptr_t (uintptr_t, uintptr_t, size_t, int64_t*, size_t, int, _Out_ uintptr_t*)',
  },
  GetTensorMutableData: { at: 51, prototype: 'uintptr_t (uintptr_t, _Out_ uintptr_t*)' },
  GetTensorElementType: { at: 60, prototype: 'uintptr_t (uintptr_t, _Out_ int*)' },
  GetTensorShapeElementCount: { at: 64, prototype: 'uintptr_t (uintptr_t, _Out_ size_t*)' },
  GetTensorTypeAndShape: { at: 65, prototype: 'uintptr_t (uintptr_t, _Out_ uintptr_t*)' },
  CreateCpuMemoryInfo: { at: 69, prototype: 'uintptr_t (int, int, _Out_ uintptr_t*)' },
  GetAllocatorWithDefaultOptions: { at: 78, prototype: 'uintptr_t (_Out_ uintptr_t*)' },
  ReleaseStatus: { at: 93, prototype: 'void (uintptr_t)' },
  ReleaseValue: { at: 96, prototype: 'void (uintptr_t)' },
  ReleaseTensorTypeAndShapeInfo: { at: 99, prototype: 'void (uintptr_t)' },
} as const;
type FunctionName = keyof typeof FUNCTIONS;
const TABLE_LENGTH = 102;

const LOG_ERRORS = 3;
const ELEMENT_FLOAT = 1;
const ALLOCATOR_ARENA = 1;
const MEMORY_DEFAULT = 0;
const FLOAT_BYTES = 4;

type Address = number | bigint;
type Call = (...args: unknown[]) => unknown;
interface Ffi {
  load(path: string): { func(prototype: string): Call };
  proto(prototype: string): unknown;
  array(type: string, length: number): unknown;
  decode(memory: unknown, type: unknown): unknown;
  call(address: Address, prototype: unknown, ...args: unknown[]): unknown;
  address(memory: Float32Array): bigint;
}

/** A model with one input of a fixed shape, of which the first value of the first output is wanted. */
export interface OneValueModel {
  /** @param values - as many as the shape has. @throws Error with what the library says. */
  run(values: Float32Array): number;
}

/** @throws Error where the library, the file, or its input is not what it should be. */
export function loadOneValueModel(
  path: string,
  input: { readonly name: string; readonly shape: readonly number[] },
  threads: number,
): OneValueModel {
  const { ffi, call } = loadLibrary();
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
  const named = (name: FunctionName): string => made(name, session, 0, allocator) as unknown as string;
  const inputs = Number(made('SessionGetInputCount', session));
  const found = named('SessionGetInputName');
  if (inputs !== 1 || found !== input.name) {
    throw new Error(`it takes ${inputs} inputs, the first called ${found}: expected one, called ${input.name}`);
  }
  const output = named('SessionGetOutputName');
  const memory = made('CreateCpuMemoryInfo', ALLOCATOR_ARENA, MEMORY_DEFAULT);
  const length = input.shape.reduce((product, side) => product * side, 1);
  // The tensor is this memory, which therefore stays as long as the model.
  const values = new Float32Array(length);
  const tensor = made(
    'CreateTensorWithDataAsOrtValue',
    ...[memory, ffi.address(values), length * FLOAT_BYTES, input.shape, input.shape.length, ELEMENT_FLOAT],
  );
  const firstOf = (result: Address): number => {
    const shape = made('GetTensorTypeAndShape', result);
    try {
      const count = Number(made('GetTensorShapeElementCount', shape));
      if (count < 1 || Number(made('GetTensorElementType', shape)) !== ELEMENT_FLOAT) {
        throw new Error(`its output ${output} has ${count} values, or they are no floats`);
      }
    } finally {
      call('ReleaseTensorTypeAndShapeInfo', shape);
    }
    return (ffi.decode(made('GetTensorMutableData', result), ffi.array('float', 1)) as Float32Array)[0]!;
  };
  return {
    run: (given) => {
      values.set(given);
      const results: [Address] = [0];
      call('Run', session, 0, [input.name], [tensor], 1, [output], 1, results);
      try {
        return firstOf(results[0]);
      } finally {
        call('ReleaseValue', results[0]);
      }
    },
  };
}

interface Library {
  readonly ffi: Ffi;
  /** One that fails throws what it says. */
  readonly call: (name: FunctionName, ...args: unknown[]) => unknown;
  /** As long as somebody has one of its functions, the library is not unloaded. */
  readonly keep: Call;
}
let loaded: Library | undefined;

function loadLibrary(): Library {
  loaded ??= openLibrary();
  return loaded;
}

function openLibrary(): Library {
  const require = createRequire(import.meta.url);
  const ffi = require('koffi') as Ffi;
  const keep = ffi.load(libraryPath(require)).func('void* OrtGetApiBase()');
  const base = keep();
  const [getApi] = ffi.decode(base, ffi.array('uintptr_t', 1)) as [Address];
  const api = ffi.call(getApi, ffi.proto('void* NidaaOrtGetApi(uint32_t)'), API_VERSION);
  const table = ffi.decode(api, ffi.array('uintptr_t', TABLE_LENGTH)) as readonly Address[];
  const calls = new Map<FunctionName, Call>();
  for (const [name, { at, prototype }] of Object.entries(FUNCTIONS)) {
    const type = ffi.proto(prototype.replace(' (', ` NidaaOrt${name}(`));
    calls.set(name as FunctionName, (...args) => ffi.call(table[at]!, type, ...args));
  }
  const call = (name: FunctionName, ...args: unknown[]): unknown => {
    const status = calls.get(name)!(...args);
    if (!FUNCTIONS[name].prototype.startsWith('uintptr_t') || Number(status) === 0) return status;
    const told = calls.get('GetErrorMessage')!(status);
    calls.get('ReleaseStatus')!(status);
    throw new Error(`${name}: ${String(told)}`);
  };
  return { ffi, call, keep };
}

/** The file has its version in its name on some systems. */
function libraryPath(require: NodeJS.Require): string {
  const folder = dirname(require.resolve(`${nativePackage()}/package.json`));
  const name = readdirSync(folder).find((file) =>
    /^(?:lib)?onnxruntime(?:\.[\d.]+)?\.(?:so|dylib|dll)(?:\.[\d.]+)?$/.test(file),
  );
  if (name === undefined) throw new Error(`${folder} has no ONNX Runtime`);
  return join(folder, name);
}
