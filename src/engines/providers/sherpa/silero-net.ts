import { type OnnxInput, type OnnxSession, openOnnxSession } from './onnx-session.ts';
import { VOICE_WINDOW } from './process-protocol.ts';

const RATE_HZ = 8_000n;
/** Streams that are judged in one call of the library, where the model takes several. */
const BATCH_MAX = 32;
const LAYERS = 2;
/** Of one output, for one stream. */
const VALUES_MAX = LAYERS * 128;
/** Of a batch and of single windows: the same arithmetic in another order. */
const SAME = 1e-3;

interface Memory {
  readonly from: string; // input
  readonly to: string; // output
  readonly width: number; // values of each layer
}
/** Its versions, by what they take. What is heard of a window begins with the end of the one before, in later ones. */
const VERSIONS: readonly {
  readonly name: string;
  readonly contextSamples: number;
  readonly memories: readonly Memory[];
}[] = [
  { name: 'v5', contextSamples: 32, memories: [{ from: 'state', to: 'stateN', width: 128 }] },
  {
    name: 'v4',
    contextSamples: 0,
    memories: [
      { from: 'h', to: 'hn', width: 64 },
      { from: 'c', to: 'cn', width: 64 },
    ],
  },
];
type Version = (typeof VERSIONS)[number];

/** What the model remembers of one stream. */
export interface StreamMemory {
  readonly context: Float32Array;
  readonly values: Float32Array;
}
export interface HeardWindow {
  readonly memory: StreamMemory;
  readonly samples: Int16Array; // VOICE_WINDOW
}

export interface SileroNet {
  readonly version: string;
  /** Windows of one run, of as many streams. */
  readonly batchMax: number;
  remember(): StreamMemory;
  /** @returns how likely each has a voice in it, 0..1; what is remembered of each has moved on. @throws Error with what the library says. */
  run(windows: readonly HeardWindow[]): Float32Array;
}

/** @throws Error where the library or the file is not what it should be, or does not take 8 kHz. */
export function loadSileroNet(path: string, threads: number): SileroNet {
  const session = openOnnxSession(path, threads);
  const version = VERSIONS.find((one) => takes(session, one));
  if (!version) {
    throw new Error(
      `it takes ${session.inputs.join(', ')}: expected input, state and sr, or input, sr, h and c, as Silero's own files for 8 kHz do`,
    );
  }
  const rateShape = rateShapeOf(session, version);
  const net = new Net(session, version, rateShape, 1);
  return canBatch(net, new Net(session, version, rateShape, BATCH_MAX))
    ? new Net(session, version, rateShape, BATCH_MAX)
    : net;
}

const takes = ({ inputs, outputs }: OnnxSession, { memories }: Version): boolean =>
  inputs.length === memories.length + 2 &&
  ['input', 'sr', ...memories.map(({ from }) => from)].every((name) => inputs.includes(name)) &&
  ['output', ...memories.map(({ to }) => to)].every((name) => outputs.includes(name));

/** Exports differ in whether the rate is a number or a row of one. @throws Error of the last that was tried. */
function rateShapeOf(session: OnnxSession, version: Version): readonly number[] {
  const silence = new Int16Array(VOICE_WINDOW);
  const tried = (shape: readonly number[]): void => {
    const net = new Net(session, version, shape, 1);
    net.run([{ memory: net.remember(), samples: silence }]);
  };
  try {
    tried([1]);
    return [1];
  } catch {
    tried([]);
    return [];
  }
}

/** Whether two streams at once are judged as each by itself. */
function canBatch(single: SileroNet, batch: SileroNet): boolean {
  const windows = [3, 40].map((step) => Int16Array.from({ length: VOICE_WINDOW }, (_, i) => ((i * step) % 200) * 5));
  const alone = windows.map((samples) => single.run([{ memory: single.remember(), samples }])[0]!);
  try {
    const both = batch.run(windows.map((samples) => ({ memory: batch.remember(), samples })));
    return both.every((probability, i) => Math.abs(probability - alone[i]!) < SAME);
  } catch {
    return false;
  }
}

interface Batch {
  readonly input: OnnxInput;
  readonly memories: readonly OnnxInput[];
}

class Net implements SileroNet {
  readonly version: string;
  readonly #rate: OnnxInput;
  /** By how many streams there are in it. */
  readonly #batches = new Map<number, Batch>();
  readonly #outputs: readonly string[];

  constructor(
    private readonly session: OnnxSession,
    private readonly own: Version,
    rateShape: readonly number[],
    readonly batchMax: number,
  ) {
    this.version = own.name;
    const rate = new BigInt64Array(new ArrayBuffer(8));
    rate[0] = RATE_HZ;
    this.#rate = session.input('sr', rate, rateShape);
    this.#outputs = ['output', ...own.memories.map(({ to }) => to)];
  }

  remember(): StreamMemory {
    const length = this.own.memories.reduce((sum, { width }) => sum + LAYERS * width, 0);
    return { context: new Float32Array(this.own.contextSamples), values: new Float32Array(length) };
  }

  run(windows: readonly HeardWindow[]): Float32Array {
    const count = windows.length;
    const batch = this.#batch(count);
    for (const [at, window] of windows.entries()) this.#put(batch, at, count, window);
    const [likely, ...memories] = this.session.run(
      [batch.input, ...batch.memories, this.#rate],
      this.#outputs,
      count * VALUES_MAX,
    );
    if (likely?.length !== count) throw new Error(`it judged ${likely?.length} windows of ${count}`);
    for (const probability of likely) {
      if (!(probability >= 0 && probability <= 1)) throw new Error(`${probability} is no probability`);
    }
    for (const [at, { memory }] of windows.entries()) this.#keep(memories, at, count, memory);
    return likely;
  }

  #batch(count: number): Batch {
    let batch = this.#batches.get(count);
    if (!batch) {
      const width = this.own.contextSamples + VOICE_WINDOW;
      batch = {
        input: this.session.input('input', floatsApart(count * width), [count, width]),
        memories: this.own.memories.map((one) =>
          this.session.input(one.from, floatsApart(LAYERS * count * one.width), [LAYERS, count, one.width]),
        ),
      };
      this.#batches.set(count, batch);
    }
    return batch;
  }

  #put({ input, memories }: Batch, at: number, count: number, { memory, samples }: HeardWindow): void {
    const { context, values } = memory;
    const width = context.length + VOICE_WINDOW;
    const given = input.values as Float32Array;
    const first = at * width;
    given.set(context, first);
    for (let i = 0; i < VOICE_WINDOW; i += 1) given[first + context.length + i] = samples[i]! / 32_768;
    context.set(given.subarray(first + VOICE_WINDOW, first + width));
    this.#eachLayer(at, count, (which, from, to, length) => {
      (memories[which]!.values as Float32Array).set(values.subarray(from, from + length), to);
    });
  }

  #keep(results: readonly Float32Array[], at: number, count: number, { values }: StreamMemory): void {
    this.#eachLayer(at, count, (which, from, to, length) => {
      values.set(results[which]!.subarray(to, to + length), from);
    });
  }

  /** Where a layer is: `from` in what is remembered of a stream, `to` in that of the batch. */
  #eachLayer(at: number, count: number, each: (which: number, from: number, to: number, length: number) => void): void {
    let from = 0;
    for (const [which, { width }] of this.own.memories.entries()) {
      for (let layer = 0; layer < LAYERS; layer += 1, from += width)
        each(which, from, (layer * count + at) * width, width);
    }
  }
}

/** Outside of the heap, where nothing moves it. */
const floatsApart = (length: number): Float32Array => new Float32Array(new ArrayBuffer(4 * length));
