/**
 * Writes models as ONNX has them: a protocol buffer of nodes, constants and metadata, as little of it as tiny models need.
 *
 * @see onnx.proto (ONNX IR version 8); protobuf encoding: varints, and fields with a length
 */

export type Attribute = number | readonly number[] | string;
export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Whole numbers are ints; a list is ints. */
  readonly attributes?: Readonly<Record<string, Attribute>>;
}
/** A name is a length that is known when the model runs. */
export type Shape = readonly (number | string)[];
export interface OnnxModel {
  readonly inputs: Readonly<Record<string, { readonly type: 'float' | 'int64'; readonly shape: Shape }>>;
  readonly outputs: Readonly<Record<string, { readonly type: 'float' | 'int64'; readonly shape: Shape }>>;
  readonly constants: Readonly<Record<string, Float32Array | BigInt64Array>>;
  /** Of constants that are no plain row. */
  readonly dims?: Readonly<Record<string, readonly number[]>>;
  readonly nodes: readonly OnnxNode[];
  readonly metadata: Readonly<Record<string, string>>;
}

const IR_VERSION = 8;
const OPSET = 13;
const ELEMENT = { float: 1, int64: 7 } as const;
const ATTRIBUTE = { int: 2, string: 3, ints: 7 } as const;

function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  do {
    const more = left > 127n;
    bytes.push(Number(left & 127n) | (more ? 128 : 0));
    left >>= 7n;
  } while (left > 0n);
  return Buffer.from(bytes);
}
const whole = (field: number, value: number | bigint): Buffer => Buffer.concat([varint(field << 3), varint(value)]);
function sized(field: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}
const message = (field: number, ...parts: readonly Buffer[]): Buffer => sized(field, Buffer.concat(parts));

function attribute(name: string, value: Attribute): Buffer {
  const head = sized(1, name);
  if (typeof value === 'number') return message(5, head, whole(3, value), whole(20, ATTRIBUTE.int));
  if (typeof value === 'string') return message(5, head, sized(4, value), whole(20, ATTRIBUTE.string));
  return message(5, head, ...value.map((one) => whole(8, one)), whole(20, ATTRIBUTE.ints));
}

function node({ op, inputs, outputs, attributes = {} }: OnnxNode): Buffer {
  return message(
    1,
    ...inputs.map((name) => sized(1, name)),
    ...outputs.map((name) => sized(2, name)),
    sized(4, op),
    ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
  );
}

function tensor(name: string, values: Float32Array | BigInt64Array, dims: readonly number[] = [values.length]): Buffer {
  const type = values instanceof Float32Array ? ELEMENT.float : ELEMENT.int64;
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return message(5, ...dims.map((dim) => whole(1, dim)), whole(2, type), sized(8, name), sized(9, raw));
}

function port(field: number, name: string, type: 'float' | 'int64', shape: Shape): Buffer {
  const dims = shape.map((dim) => message(1, typeof dim === 'number' ? whole(1, dim) : sized(2, dim)));
  return message(field, sized(1, name), message(2, message(1, whole(1, ELEMENT[type]), message(2, ...dims))));
}

/** The bytes of the file. */
export function onnxFile({ inputs, outputs, constants, dims, nodes, metadata }: OnnxModel): Buffer {
  return Buffer.concat([
    whole(1, IR_VERSION),
    message(
      7,
      ...nodes.map(node),
      sized(2, 'tiny'),
      ...Object.entries(constants).map(([name, values]) => tensor(name, values, dims?.[name])),
      ...Object.entries(inputs).map(([name, { type, shape }]) => port(11, name, type, shape)),
      ...Object.entries(outputs).map(([name, { type, shape }]) => port(12, name, type, shape)),
    ),
    message(8, sized(1, ''), whole(2, OPSET)),
    ...Object.entries(metadata).map(([key, value]) => message(14, sized(1, key), sized(2, value))),
  ]);
}
