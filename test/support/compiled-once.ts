import { createRequire } from 'node:module';

/** One schema of a route, as fastify hands it over; the rest of it says where it stands. */
interface RouteSchema {
  readonly schema: unknown;
}
type Compile = (route: RouteSchema) => unknown;
type Factory = () => (named: unknown, options: unknown) => Compile;

/**
 * A process that serves builds one application; one that tests builds a hundred, and what writes their answers is compiled for each.
 * The compiler stays fastify's own: what it made of the same schema among the same named ones is used again.
 */
export function compileSchemasOnce(): void {
  const ofFastify = createRequire(createRequire(import.meta.url).resolve('fastify'));
  const name = '@fastify/fast-json-stringify-compiler';
  const own = ofFastify(name) as Factory & { keepsResults?: true };
  if (own.keepsResults) return;
  const keeping = Object.assign(keepingResults(own), own, { keepsResults: true });
  ofFastify.cache[ofFastify.resolve(name)]!.exports = keeping;
}

function keepingResults(factory: Factory): Factory {
  const compilers = new Map<string, Compile>();
  return () => (named, options) =>
    kept(compilers, JSON.stringify([named, options]), () => {
      const compile = factory()(named, options);
      const compiled = new Map<string, unknown>();
      return (route) => kept(compiled, JSON.stringify(route.schema), () => compile(route));
    });
}

function kept<T>(all: Map<string, T>, key: string, make: () => T): T {
  if (!all.has(key)) all.set(key, make());
  return all.get(key)!;
}
