import { OperatorError } from '../core/errors.ts';

interface Closable {
  close(): Promise<void>;
}

/** Written in the configuration where a capability is to have no engine. */
export const NO_ENGINE = 'none';

/**
 * Names in the configuration -> engines of one capability. An engine is made when it is first asked for, once; what nobody
 * configured is never loaded. `setting` is named when a name is unknown.
 */
export class EngineRegistry<E extends Closable> {
  readonly #factories = new Map<string, () => E>();
  readonly #engines = new Map<string, E>();
  #closed = false;

  constructor(readonly setting: string) {}

  /** Throws on a second factory of one name: a mistake of the program. */
  register(name: string, factory: () => E): this {
    if (name === NO_ENGINE || this.#factories.has(name)) throw new Error(`${this.setting}: ${name} is taken`);
    this.#factories.set(name, factory);
    return this;
  }

  get names(): readonly string[] {
    return [...this.#factories.keys()];
  }

  /** The engine of a name, unless nobody has asked for it yet. */
  made(name: string): E | undefined {
    return this.#engines.get(name);
  }

  /** @throws OperatorError for a name without a factory, listing those there are. */
  get(name: string): E {
    const known = this.#engines.get(name);
    if (known) return known;
    const factory = this.#factories.get(name);
    if (!factory) {
      throw new OperatorError(`${this.setting}: expected one of ${[...this.names, NO_ENGINE].join(', ')}, got ${name}`);
    }
    if (this.#closed) throw new Error(`${this.setting}: the registry is closed`);
    const engine = factory();
    this.#engines.set(name, engine);
    return engine;
  }

  /** The engines of an ordered list, without repetitions and `none`. */
  list(names: readonly string[]): E[] {
    return [...new Set(names)].filter((name) => name !== NO_ENGINE).map((name) => this.get(name));
  }

  /** Every engine made so far. */
  get engines(): readonly E[] {
    return [...this.#engines.values()];
  }

  /** Closes every engine that was made; one that fails to close does not keep the others open. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled(this.engines.map((engine) => engine.close()));
  }
}
