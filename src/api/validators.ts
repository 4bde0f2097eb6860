import { AjvCompiler, type BuildCompilerFromPool } from '@fastify/ajv-compiler';

type Compile = ReturnType<BuildCompilerFromPool>;

/**
 * Compiles the schema of a route when its first request comes. There are hundreds of routes, to compile what they take is a tenth of
 * a start, and most gateways are asked by few of them.
 */
export function validatorsOnDemand(): BuildCompilerFromPool {
  const build = AjvCompiler();
  return (shared, options) => {
    let compile: Compile | undefined;
    return onDemand((schema) => {
      compile ??= build(shared, options);
      return compile(schema);
    });
  };
}

function onDemand(compile: Compile): Compile {
  return (schema) => {
    let made: ReturnType<Compile> | undefined;
    const validate = (data: unknown): unknown => {
      made ??= compile(schema);
      const isValid = made(data);
      lazy.errors = made.errors;
      return isValid;
    };
    const lazy = validate as ReturnType<Compile>;
    return lazy;
  };
}
