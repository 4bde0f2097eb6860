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
  SessionGetOutputCount: { at: 31, prototype: 'uintptr_t (uintptr_t, _Out_ size_t*)' },
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
export type FunctionName = keyof typeof FUNCTIONS;
const TABLE_LENGTH = 102;

export type Address = number | bigint;
type Call = (...args: unknown[]) => unknown;
interface Ffi {
  load(path: string): { func(prototype: string): Call };
  proto(prototype: string): unknown;
  array(type: string, length: number): unknown;
  decode(memory: unknown, type: unknown): unknown;
  call(address: Address, prototype: unknown, ...args: unknown[]): unknown;
  address(memory: Float32Array | BigInt64Array): bigint;
}

interface Library {
  readonly ffi: Ffi;
  /** Copied from there. */
  readonly floats: (memory: Address, length: number) => Float32Array;
  /** One that fails throws what it says. */
  readonly call: (name: FunctionName, ...args: unknown[]) => unknown;
  /** As long as somebody has one of its functions, the library is not unloaded. */
  readonly keep: Call;
}
let loaded: Library | undefined;

/** @throws Error where it is not there. */
export function loadLibrary(): Library {
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
  const lengths = new Map<number, unknown>(); // of arrays that were decoded: those of a few models
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
  const floats = (memory: Address, length: number): Float32Array => {
    let type = lengths.get(length);
    if (type === undefined) {
      type = ffi.array('float', length);
      lengths.set(length, type);
    }
    return ffi.decode(memory, type) as Float32Array;
  };
  return { ffi, call, keep, floats };
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
