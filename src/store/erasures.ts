import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { numberKey } from '../core/caller-number.ts';
import { newId } from '../core/ids.ts';
import { databaseFault, inTransaction } from './database.ts';
import { onConnection } from './database-access.ts';
import { collectPerson, type PersonData } from './erasure/collect-person.ts';
import {
  eraseCalls,
  eraseOrders,
  nodesWithJournals,
  type Person,
  requireNotOwn,
  type Waits,
} from './erasure/erase-person.ts';
import { beginErasing, type Erasing, eraseNext } from './erasure/search.ts';
import type { SecretBox } from './secrets.ts';

/** That somebody was erased: when, how much it was, and whether all of it is gone. Not who. */
export interface Erasure extends Erasing {
  readonly id: string; // ers_...
  readonly accountId: string | null; // null: of all accounts
  readonly askedAt: Date;
  readonly doneAt: Date | null;
  /** Whose disks have something yet, and how many recordings are in the home. */
  readonly onNodes: readonly string[];
  readonly inHome: number;
}
export interface EraseOptions {
  /** Everything is done and taken back: what is returned is what there is. */
  readonly isTried?: boolean;
  /** Of the search; of what is tried, the rest is not counted. */
  readonly piecesMax?: number;
  /** Told why the search broke off: it goes on later. Without it that is thrown. */
  readonly troubled?: (error: unknown) => void;
}
/** What a restored backup is erased by. */
export interface KnownErasure {
  readonly id: string;
  readonly accountId: string | null;
  readonly hmac: string; // hex
  readonly countryCode: string;
  readonly askedAt: string; // ISO 8601
}

/** In the data folder, for a database that is lost with what it knew of erasures. */
export const ERASURES_FILE = 'erasures.jsonl';
const UNWANTED = `FROM recordings WHERE NOT wanted AND call_id IN (SELECT jsonb_array_elements_text(waits -> 'recordings'))`;
const COLUMNS = `id, account_id AS "accountId", asked_at AS "askedAt", CASE WHEN search IS NULL THEN done_at END AS "doneAt", found, waits, search,
  ARRAY(SELECT jsonb_array_elements_text(waits -> 'nodes') UNION SELECT node ${UNWANTED} AND place = 'node' ORDER BY 1) AS "onNodes",
  (SELECT count(*)::int ${UNWANTED} AND place = 'home') AS "inHome"`;
export const KNOWN_COLUMNS = `id, account_id AS "accountId", encode(number_hmac, 'hex') AS hmac, country_code AS "countryCode",
  to_char(asked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "askedAt"`;
/** Texts of years are read once. */
const IN_NO_HURRY = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '30s'; SET LOCAL timezone = 'UTC'`;
/** A piece of a search: far above what one takes, so that none is tried for ever. */
const IN_PIECES = `SET LOCAL statement_timeout = '60s'; SET LOCAL lock_timeout = '30s'`;
const OPEN_MAX = 100; // of one round
const LIST_MAX = 1_000;

export class ErasureRows {
  readonly #last = new Map<string, string | undefined>(); // of the last round, by what was asked for
  constructor(
    private readonly pool: pg.Pool,
    private readonly connection: pg.PoolConfig,
    private readonly secrets: () => SecretBox,
    private readonly dataFolder: string,
  ) {}

  /**
   * Erases a person from everything that `places.ts` lists, and keeps that it was done. It is accepted, and what an index finds is gone, before
   * anything is searched; what is not looked through here is for `searchOn`, on any node.
   *
   * @param number - however it is written.
   * @throws OperatorError for a number that agents answer.
   */
  async erase(number: string, of: Omit<Person, 'key'>, options: EraseOptions = {}): Promise<Erasure> {
    const { isTried = false, piecesMax = Number.POSITIVE_INFINITY, troubled } = options;
    const person = { ...of, key: numberKey(number, of.countryCode) };
    return onConnection(this.connection, async (client) => {
      const piece = (id: string) => (isTried ? this.#eraseNext(client, id) : this.#piece(client, id));
      await client.query(`BEGIN; ${isTried ? IN_NO_HURRY : IN_PIECES}`);
      const { id } = await this.#begin(client, person, isTried);
      if (!isTried) await client.query('COMMIT');
      try {
        for (let n = 0; n < piecesMax && (await piece(id)); n += 1);
      } catch (error) {
        if (isTried || !troubled) throw error;
        troubled(error);
      }
      const { rows } = await client.query<Erasure>(`SELECT ${COLUMNS} FROM erasures WHERE id = $1`, [id]);
      if (isTried) await client.query('ROLLBACK');
      return rows[0]!;
    });
  }

  async #begin(client: pg.Client, person: Person, isTried: boolean): Promise<Erasure> {
    await requireNotOwn(client, person);
    const { found, waits, search } = await beginErasing(client, person);
    const [id, hmac] = [newId('ers'), this.secrets().fingerprint(person.key)];
    const { rows } = await client.query<Erasure>(
      `INSERT INTO erasures (id, account_id, number_hmac, country_code, found, waits, search, sealed_number)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${COLUMNS}`,
      [
        ...[id, person.accountId ?? null, hmac, person.countryCode, found, waits, search],
        this.secrets().seal(person.key, id),
      ],
    );
    if (!isTried) this.#note({ ...rows[0]!, hmac, countryCode: person.countryCode });
    return rows[0]!;
  }

  /**
   * Goes on with what is searched for, a piece of each in turn. Safe to run twice, and by several nodes.
   *
   * @param piecesMax - of all together. @param isEnough - asked between pieces.
   * @throws the first failure, once the others have had their turns.
   */
  async searchOn(piecesMax: number, isEnough: () => boolean = () => false): Promise<void> {
    const ids = await this.#next('search IS NOT NULL');
    if (ids.length === 0) return;
    await onConnection(this.connection, async (client) => {
      const open = new Set(ids);
      const failures: unknown[] = [];
      for (let n = 0; open.size > 0 && n < piecesMax && !isEnough(); ) {
        for (const id of open) {
          n += 1;
          const isGoing = await this.#piece(client, id).catch((error: unknown) => {
            failures.push(error);
            return false;
          });
          if (!isGoing) open.delete(id);
        }
      }
      if (failures.length > 0) throw failures[0];
    });
  }

  /** @returns whether there is more to search. */
  async #piece(client: pg.Client, id: string): Promise<boolean> {
    await client.query(`BEGIN; ${IN_PIECES}`);
    try {
      const isGoing = await this.#eraseNext(client, id);
      await client.query('COMMIT');
      return isGoing;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined); // the connection is gone, and so is what was begun
      throw error;
    }
  }

  async #eraseNext(client: pg.Client, id: string): Promise<boolean> {
    const { rows } = await client.query<Erasing & { accountId: string | null; countryCode: string; sealed: Buffer }>(
      `SELECT account_id AS "accountId", country_code AS "countryCode", sealed_number AS sealed, found, waits, search
        FROM erasures WHERE id = $1 AND search IS NOT NULL FOR UPDATE`,
      [id],
    );
    const [of] = rows;
    if (!of) return false;
    const person = { ...of, key: this.secrets().open(of.sealed, id), accountId: of.accountId ?? undefined };
    const { found, waits, search } = await eraseNext(client, person, of);
    await client.query(
      `UPDATE erasures SET found = $2, waits = $3, search = $4, sealed_number = CASE WHEN $4::jsonb IS NOT NULL THEN sealed_number END,
        done_at = CASE WHEN $5 THEN now() END WHERE id = $1`,
      [id, found, waits, search, search === null && isOver(waits)],
    );
    return search !== null;
  }

  /** All that there is of a person, as it is shown to them. */
  async collect(number: string, of: Omit<Person, 'key'>): Promise<PersonData> {
    return onConnection(this.connection, async (client) => {
      await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${IN_NO_HURRY}`);
      const person = { ...of, key: numberKey(number, of.countryCode) };
      await requireNotOwn(client, person);
      return collectPerson(client, person);
    });
  }

  /** The newest first. */
  async list(accountId: string): Promise<readonly Erasure[]> {
    const { rows } = await this.pool.query<Erasure>(
      `SELECT ${COLUMNS} FROM erasures WHERE account_id = $1 ORDER BY asked_at DESC, id LIMIT ${LIST_MAX}`,
      [accountId],
    );
    return rows;
  }

  async get(id: string, accountId?: string): Promise<Erasure | undefined> {
    const { rows } = await this.pool.query<Erasure>(
      `SELECT ${COLUMNS} FROM erasures WHERE id = $1 AND ($2::text IS NULL OR account_id = $2)`,
      [id, accountId ?? null],
    );
    return rows[0];
  }

  /**
   * Erases what has come to its end meanwhile, and notes what is gone everywhere. Safe to run twice.
   *
   * @param failed - told of one that fails by itself. Without it the first failure is thrown, once the others have had their turns.
   */
  async goOn(failed?: (id: string, error: unknown) => void): Promise<void> {
    const failures: unknown[] = [];
    for (const id of await this.#next('done_at IS NULL')) {
      await inTransaction(this.pool, (client) => goOn(client, id)).catch((error: unknown) => {
        if (databaseFault(error) === 'away') throw error;
        if (failed) failed(id, error);
        else failures.push(error);
      });
    }
    if (failures.length > 0) throw failures[0];
  }

  /** The oldest, or where there are more than one round takes, those behind the last round's: what always fails keeps nobody from their turn. */
  async #next(open: 'search IS NOT NULL' | 'done_at IS NULL'): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `SELECT id FROM erasures WHERE ${open} AND ($1::text IS NULL OR (asked_at, id) > (SELECT asked_at, id FROM erasures WHERE id = $1))
        ORDER BY asked_at, id LIMIT ${OPEN_MAX}`,
      [this.#last.get(open) ?? null],
    );
    const ids = rows.map(({ id }) => id);
    this.#last.set(open, ids.length < OPEN_MAX ? undefined : ids.at(-1));
    return ids;
  }

  /** Notes that nothing is on the disk of a node any more of who was erased before. @param forget - sees to it, and says whether it is so. */
  async forgetOn(node: string, forget: () => Promise<boolean>): Promise<void> {
    const { rows } = await this.pool.query<{ id: string }>(
      `SELECT id FROM erasures WHERE done_at IS NULL AND waits -> 'nodes' ? $1 ORDER BY asked_at LIMIT ${OPEN_MAX}`,
      [node],
    );
    if (rows.length === 0 || !(await forget())) return;
    await this.pool.query(
      `UPDATE erasures SET waits = jsonb_set(waits, '{nodes}', (waits -> 'nodes') - $1) WHERE id = ANY($2) AND done_at IS NULL`,
      [node, rows.map(({ id }) => id)],
    );
    await this.goOn();
  }

  #note({ id, accountId, askedAt, hmac, countryCode }: Erasure & { hmac: Buffer; countryCode: string }): void {
    const known = { id, accountId, hmac: hmac.toString('hex'), countryCode, askedAt: askedAt.toISOString() };
    const file = openSync(join(this.dataFolder, ERASURES_FILE), 'a', 0o600);
    try {
      appendFileSync(file, `${JSON.stringify(known satisfies KnownErasure)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}

/** What the data folder knows of erasures; a line that was cut off is passed over. */
export function notedErasures(file: string): readonly KnownErasure[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as KnownErasure];
    } catch {
      return [];
    }
  });
}

const isOver = ({ calls, orders, recordings, nodes }: Waits): boolean =>
  calls.length + orders.length + recordings.length + nodes.length === 0;

/** One at a time: what another gateway has written to it is read, and stays. */
async function goOn(client: pg.PoolClient, id: string): Promise<void> {
  const { rows: open } = await client.query<{ waits: Omit<Waits, 'nodes'> & Partial<Waits> }>(
    'SELECT waits FROM erasures WHERE id = $1 AND done_at IS NULL FOR UPDATE',
    [id],
  );
  if (!open[0]) return;
  const { calls, orders, recordings, nodes = [] } = open[0].waits; // one of before has no `nodes`
  const asked = await client.query<{ id: string }>(
    'SELECT id FROM calls WHERE id = ANY($1) AND ended_at IS NOT NULL UNION ALL SELECT id FROM dial_orders WHERE id = ANY($2) AND state = $3',
    [calls, orders, 'ended'],
  );
  const ended = new Set(asked.rows.map((row) => row.id));
  const over = calls.filter((one) => ended.has(one));
  await eraseCalls(client, over);
  await eraseOrders(
    client,
    orders.filter((one) => ended.has(one)),
  );
  const unwanted = await client.query<{ id: string }>(
    'SELECT call_id AS id FROM recordings WHERE call_id = ANY($1) AND NOT wanted',
    [[...recordings, ...over]],
  );
  const journals = nodes.length > 0 ? await nodesWithJournals(client) : [];
  const left: Waits = {
    calls: calls.filter((one) => !ended.has(one)),
    orders: orders.filter((one) => !ended.has(one)),
    recordings: unwanted.rows.map((row) => row.id),
    nodes: nodes.filter((node) => journals.includes(node)),
  };
  await client.query(
    'UPDATE erasures SET waits = $2, done_at = CASE WHEN $3 AND search IS NULL THEN now() END WHERE id = $1',
    [id, left, isOver(left)],
  );
}
