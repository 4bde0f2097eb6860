import { AjvCompiler, type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';

type CompileValidator = ReturnType<BuildCompilerFromPool>;
type BuildSerializers = ReturnType<typeof SerializerSelector>;
type Serializer = ReturnType<ReturnType<BuildSerializers>>;

/**
 * Compiles the schema of a route when its first request comes. There are hundreds of routes, to compile what they take and give is a
 * seventh of a start, and most gateways are asked by few of them.
 */
export function validatorsOnDemand(): BuildCompilerFromPool {
  const build = AjvCompiler();
  return (shared, options) => {
    let compile: CompileValidator | undefined;
    return (schema) => {
      let made: ReturnType<CompileValidator> | undefined;
      const validate = (data: unknown): unknown => {
        compile ??= build(shared, options);
        made ??= compile(schema);
        const isValid = made(data);
        lazy.errors = made.errors;
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
    let compile: ReturnType<BuildSerializers> | undefined;
    return (route) => {
      let made: Serializer | undefined;
      return (answer) => {
        compile ??= build(shared, options);
        made ??= compile(route);
        return made(answer);
      };
    };
  };
}
