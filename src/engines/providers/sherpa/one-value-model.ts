import { openOnnxSession } from './onnx-session.ts';

/** A model with one input of a fixed shape, of which the first value of the first output is wanted. */
export interface OneValueModel {
  /** @param values - as many as the shape has. @throws Error with what the library says. */
  run(values: Float32Array): number;
}

/** @throws Error where the library, the file, or its input is not what it should be. */
export function loadOneValueModel(
  path: string,
  { name, shape }: { readonly name: string; readonly shape: readonly number[] },
  threads: number,
): OneValueModel {
  const session = openOnnxSession(path, threads);
  const [found] = session.inputs;
  if (session.inputs.length !== 1 || found !== name) {
    throw new Error(
      `it takes ${session.inputs.length} inputs, the first called ${found}: expected one, called ${name}`,
    );
  }
  const values = new Float32Array(shape.reduce((product, side) => product * side, 1));
  const input = session.input(name, values, shape);
  const [output = ''] = session.outputs;
  return {
    run: (given) => {
      values.set(given);
      return session.run([input], [output], 1)[0]![0]!;
    },
  };
}
