import { AjvCompiler, type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import { lazily } from '../core/lazily.ts';

type CompileValidator = ReturnType<BuildCompilerFromPool>;
type BuildSerializers = ReturnType<typeof SerializerSelector>;

/**
 * Compiles the schema of a route when its first request comes. There are hundreds of routes, to compile what they take and give is a
 * seventh of a start, and most gateways are asked by few of them.
 */
export function validatorsOnDemand(): BuildCompilerFromPool {
  const build = AjvCompiler();
  return (shared, options) => {
    const compile = lazily(() => build(shared, options));
    return (schema) => {
      const made = lazily(() => compile()(schema));
      const validate = (data: unknown): unknown => {
        const isValid = made()(data);
        lazy.errors = made().errors;
        return isValid;
      };
      const lazy = validate as ReturnType<CompileValidator>;
      return lazy;
    };
  };
}

/** The same for what a route answers with. */
export function serializersOnDemand(): BuildSerializers {
  const build = SerializerSelector();
  return (shared, options) => {
    const compile = lazily(() => build(shared, options));
    return (route) => {
      const made = lazily(() => compile()(route));
      return (answer) => made()(answer);
    };
  };
}
