/**
 * The product of matrices, four numbers at a time: a WebAssembly module of one function, put together here from its
 * instructions (WebAssembly core specification 2.0, section 5.4). Plain JavaScript needs six times as long.
 */
export interface DenseKernel {
  readonly memory: ArrayBuffer;
  /**
   * `out[r][c] = sum over i of x[r][i] * w[c][i]`. Addresses in bytes, aligned to 16.
   *
   * @param rows - of `x`, a multiple of 4. @param inBytes - of one row of `x` and `w`, a multiple of 16.
   * @param cols - rows of `w`, a multiple of 2.
   */
  multiply(x: number, w: number, out: number, rows: number, inBytes: number, cols: number): void;
}

const PAGE_BYTES = 65_536;

/** What this uses of the WebAssembly that every Node has; its types are those of browsers. */
interface Wasm {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}
const wasm = (globalThis as unknown as { readonly WebAssembly: Wasm }).WebAssembly;

const I32 = 0x7f;
const V128 = 0x7b;
const FUNCTION_TYPE = 0x60;
const EMPTY_BLOCK = 0x40;
const LOOP = 0x03;
const BRANCH_IF = 0x0d;
const END = 0x0b;
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const I32_CONST = 0x41;
const I32_LESS = 0x49;
const I32_ADD = 0x6a;
const I32_SUB = 0x6b;
const I32_MUL = 0x6c;
const F32_ADD = 0x92;
const F32_STORE = 0x38;
const SIMD = 0xfd;

/** Parameters, then locals, by number. */
const [X, W, OUT, ROWS, IN_BYTES, COLS, AT, WEIGHT, COL, STOP] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const FIRST_ROW = 10; // four addresses, of four rows of x
const FIRST_SUM = 14; // four rows by two columns
const WEIGHTS = 22; // of two columns
const ROW_BLOCK = 4;
const COL_BLOCK = 2;

/** Unsigned and signed LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}
function signed(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return done ? [low] : [low | 0x80, ...signed(rest)];
}

const get = (local: number): number[] => [LOCAL_GET, local];
const set = (local: number): number[] => [LOCAL_SET, local];
const constant = (value: number): number[] => [I32_CONST, ...signed(value)];
const simd = (code: number): number[] => [SIMD, ...unsigned(code)];
const load = [...simd(0x00), 4, 0]; // v128.load, aligned to 2^4
const multiplyLanes = simd(0xe6);
const addLanes = simd(0xe4);
const zeroLanes = [...simd(0x0c), ...new Array<number>(16).fill(0)];
const lane = (n: number): number[] => [...simd(0x1f), n];
const add = (local: number, ...amount: number[]): number[] => [...get(local), ...amount, I32_ADD, ...set(local)];
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const loop = (body: readonly number[], again: readonly number[]): number[] => [
  ...[LOOP, EMPTY_BLOCK],
  ...body,
  ...again,
  ...[BRANCH_IF, 0, END],
];

/** sum += row * weights, for every row and both columns. */
function innermost(): number[] {
  return [
    ...range(COL_BLOCK).flatMap((c) => [
      ...get(WEIGHT),
      ...(c === 0 ? [] : [...get(IN_BYTES), I32_ADD]),
      ...load,
      ...set(WEIGHTS + c),
    ]),
    ...range(ROW_BLOCK * COL_BLOCK).flatMap((n) => {
      const row = FIRST_ROW + (n % ROW_BLOCK);
      const column = WEIGHTS + Math.floor(n / ROW_BLOCK);
      const sum = FIRST_SUM + n;
      return [...get(sum), ...get(row), ...load, ...get(column), ...multiplyLanes, ...addLanes, ...set(sum)];
    }),
    ...range(ROW_BLOCK).flatMap((r) => add(FIRST_ROW + r, ...constant(16))),
    ...add(WEIGHT, ...constant(16)),
  ];
}

/** out[r][c] of the block: the four lanes of a sum together. */
function storeSums(): number[] {
  return range(ROW_BLOCK * COL_BLOCK).flatMap((n) => [
    ...[...get(AT), ...get(COLS), ...constant(4 * (n % ROW_BLOCK)), I32_MUL, I32_ADD],
    ...[...get(FIRST_SUM + n), ...lane(0), ...get(FIRST_SUM + n), ...lane(1), F32_ADD],
    ...[...get(FIRST_SUM + n), ...lane(2), F32_ADD, ...get(FIRST_SUM + n), ...lane(3), F32_ADD],
    ...[F32_STORE, 2, ...unsigned(4 * Math.floor(n / ROW_BLOCK))],
  ]);
}

function functionBody(): number[] {
  const block = [
    ...range(ROW_BLOCK * COL_BLOCK).flatMap((n) => [...zeroLanes, ...set(FIRST_SUM + n)]),
    ...range(ROW_BLOCK).flatMap((r) => [
      ...get(X),
      ...(r === 0 ? [] : [...get(IN_BYTES), ...constant(r), I32_MUL, I32_ADD]),
      ...set(FIRST_ROW + r),
    ]),
    ...[...get(X), ...get(IN_BYTES), I32_ADD, ...set(STOP)],
    ...loop(innermost(), [...get(FIRST_ROW), ...get(STOP), I32_LESS]),
    ...add(WEIGHT, ...get(IN_BYTES)), // past the second column, which was read beside the first
    ...storeSums(),
    ...add(AT, ...constant(4 * COL_BLOCK)),
    ...[...get(COL), ...constant(COL_BLOCK), I32_SUB, ...set(COL)],
  ];
  const rowBlock = [
    ...[...get(W), ...set(WEIGHT), ...get(COLS), ...set(COL), ...get(OUT), ...set(AT)],
    ...loop(block, get(COL)),
    ...add(X, ...get(IN_BYTES), ...constant(ROW_BLOCK), I32_MUL),
    ...add(OUT, ...get(COLS), ...constant(4 * ROW_BLOCK), I32_MUL),
    ...[...get(ROWS), ...constant(ROW_BLOCK), I32_SUB, ...set(ROWS)],
  ];
  const locals = [2, FIRST_SUM - AT, I32, ROW_BLOCK * COL_BLOCK + COL_BLOCK, V128];
  return [...locals, ...loop(rowBlock, get(ROWS)), END];
}

function moduleBytes(): Uint8Array {
  const section = (id: number, content: readonly number[]): number[] => [id, ...unsigned(content.length), ...content];
  const name = (text: string): number[] => [text.length, ...Buffer.from(text, 'latin1')];
  const body = functionBody();
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // magic, version
    ...section(1, [1, FUNCTION_TYPE, 6, I32, I32, I32, I32, I32, I32, 0]), // types
    ...section(2, [1, ...name('env'), ...name('memory'), 0x02, 0x00, 0x00]), // imports: a memory
    ...section(3, [1, 0]), // functions
    ...section(7, [1, ...name('multiply'), 0x00, 0]), // exports
    ...section(10, [1, ...unsigned(body.length), ...body]), // code
  ]);
}

/** @param bytes - of memory it works on. */
export function createDenseKernel(bytes: number): DenseKernel {
  const memory = new wasm.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  const { exports } = new wasm.Instance(new wasm.Module(moduleBytes()), { env: { memory } });
  return { memory: memory.buffer, multiply: exports['multiply'] as DenseKernel['multiply'] };
}
