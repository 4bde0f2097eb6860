import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readlinkSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { randomToken } from '../core/ids.ts';

/** Who opened a row: the gateway process, as rows name it. */
export interface Owner {
  readonly id: string;
}

/**
 * Who this process is in the database. `node` is the installation and lasts as long as its data folder; `id` is new with every
 * start, and again after the process was taken for dead: what it opens carries the `id` that it has then.
 */
export class GatewayIdentity implements Owner {
  #node: string;
  #id: string;

  constructor(
    node: string,
    /** Where it runs, see `placeOf`. */
    readonly place: string,
    private readonly keep: (node: string) => void,
  ) {
    this.#node = node;
    this.#id = this.nextId();
  }

  get node(): string {
    return this.#node;
  }
  get id(): string {
    return this.#id;
  }
  /** What the ids of all starts of this installation begin with. */
  get prefix(): string {
    return `gw_${this.#node.slice(0, 8)}_`;
  }

  /** An id that nobody has. */
  nextId(): string {
    return `${this.prefix}${randomToken(10)}`;
  }

  /** What is opened from now on is of `id`. */
  renew(id: string): void {
    this.#id = id;
  }

  /** Another installation from now on, also at the next start. */
  rename(): void {
    this.#node = randomUUID();
    this.keep(this.#node);
    this.renew(this.nextId());
  }
}

/** The identity of the installation in `dataFolder`. @param asItIs - of a tool, which owns nothing: the folder is left alone. */
export function identityOf(dataFolder: string, asItIs: boolean): GatewayIdentity {
  const file = join(dataFolder, 'node-id');
  const keep = (node: string): void => {
    writeFileSync(`${file}.new`, `${node}\n`, { mode: 0o644 });
    renameSync(`${file}.new`, file);
  };
  if (!existsSync(file)) {
    const node = randomUUID(); // of a tool: it opens no calls
    if (!asItIs) keep(node);
    return new GatewayIdentity(node, placeOf(dataFolder), keep);
  }
  return new GatewayIdentity(readFileSync(file, 'utf8').trim(), placeOf(dataFolder), keep);
}

/**
 * This boot of this machine, this container, this folder. A copy of the folder is another place, wherever it lies; and of two
 * processes in one place the lock in the folder lets one run.
 */
function placeOf(dataFolder: string): string {
  const boot = orElse(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), hostname);
  const processes = orElse(
    () => readlinkSync('/proc/self/ns/pid'),
    () => '',
  );
  const folder = orElse(
    () => statSync(dataFolder),
    () => undefined,
  );
  const parts = [boot, processes, folder?.dev, folder?.ino].join('|');
  return createHash('sha256').update(parts).digest('base64url').slice(0, 22);
}

function orElse<T>(read: () => T, otherwise: () => T): T {
  try {
    return read();
  } catch {
    return otherwise();
  }
}
