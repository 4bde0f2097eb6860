import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnsOf, DATA_KINDS, PERSONAL_DATA } from '../../src/store/personal-data.ts';
import { openTestStore, type TestStore } from '../support/postgres-store.ts';

/** What can hold what somebody said, or who they are. */
const TELLING = ['text', 'jsonb', 'bytea', 'tsvector', 'ARRAY', 'character varying', 'inet'];

describe('the list of personal data', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore();
  });
  afterAll(() => test.close());

  it('has every column that can hold text once, and no other', async () => {
    const { rows } = await test.store.pool.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns c JOIN pg_class p ON p.relname = c.table_name
        WHERE table_schema = 'public' AND NOT p.relispartition AND data_type = ANY($1) ORDER BY 1`,
      [TELLING],
    );
    const listed = Object.keys(PERSONAL_DATA).flatMap((table) =>
      DATA_KINDS.flatMap((kind) => columnsOf(table, kind).map((column) => `${table}.${column}`)),
    );
    expect(listed.sort()).toEqual(rows.map(({ name }) => name).sort());
  });
});
