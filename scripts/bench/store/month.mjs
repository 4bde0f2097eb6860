import { atLeisure } from './indexes.mjs';

/** Calls a transaction, where the rest of the month goes faster than in a round. */
const PIECE = 2_000;
const OF = (days) => ({ recordingsDays: 0, transcriptsDays: days, callsDays: 0, ordersDays: 0, refusalsDays: 0 });

/** Takes the oldest month of what was said away: some of it in a round of the caretaker, the rest by the same statements for many calls at once. */
export async function removeMonth(store, forgetOld) {
  const { pool } = store;
  const { rows: ends } = await atLeisure(
    pool,
    'SELECT extract(day FROM now() - min(ended_at))::int AS days FROM calls WHERE ended_at IS NOT NULL',
  );
  const days = ends[0].days - 30;
  const wal = async () => Number((await pool.query(`SELECT pg_current_wal_lsn() - '0/0' AS bytes`)).rows[0].bytes);
  const [walBefore, began] = [await wal(), performance.now()];
  const clock = { nowMs: () => performance.now() };
  const { calls } = await forgetOld({ store, clock, isClosing: () => false }, OF(days));
  tell(`a round of the caretaker, ${calls} calls`, began, `${mb((await wal()) - walBefore)} of journal`);
  await rest(store, days, wal);
  const { rows: dead } =
    await pool.query(`SELECT name, sum(n_live_tup) AS live, sum(n_dead_tup) AS dead FROM pg_stat_user_tables s, unnest(ARRAY['calls', 'turns']) AS name
    WHERE s.relid IN (SELECT relid FROM pg_partition_tree(name::regclass)) GROUP BY 1`);
  for (const { name, live, dead: count } of dead) console.log(`${name}: ${live} rows, ${count} dead ones`);
  for (const table of ['turns', 'calls']) {
    const started = performance.now();
    await atLeisure(pool, `VACUUM ${table}`);
    tell(`vacuum of ${table}`, started);
  }
  const { rows: size } = await pool.query(
    `SELECT sum(pg_total_relation_size(relid)) AS bytes FROM pg_partition_tree('turns')`,
  );
  const months = await store.months.dropEmpty();
  const { rows: left } = await pool.query(
    `SELECT sum(pg_total_relation_size(relid)) AS bytes FROM pg_partition_tree('turns')`,
  );
  console.log(`months of turns taken away: ${months}, ${mb(size[0].bytes - left[0].bytes)} given back`);
}

async function rest({ pool }, days, wal) {
  const [walBefore, began] = [await wal(), performance.now()];
  let calls = 0;
  for (;;) {
    const { rows } = await atLeisure(
      pool,
      `SELECT c.id FROM accounts a CROSS JOIN LATERAL (SELECT id FROM calls WHERE account_id = a.id AND erased_at IS NULL
        AND transcript_erased_at IS NULL AND ended_at < now() - make_interval(days => ${days}) ORDER BY ended_at LIMIT ${PIECE}) AS c LIMIT ${PIECE}`,
    );
    const { rowCount } = await pool.query(
      `WITH said AS (DELETE FROM turns WHERE call_id = ANY ($1))
        UPDATE calls SET transcript_erased_at = now(), dtmf = '', keys = NULL, words = NULL, outcome = NULL, analysis = NULL,
          analysis_state = NULL WHERE id = ANY ($1)`,
      [rows.map(({ id }) => id)],
    );
    calls += rowCount;
    if (rowCount === 0) break;
  }
  tell(`${calls} calls more, ${PIECE} at a time`, began, `${mb((await wal()) - walBefore)} of journal`);
}

const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
function tell(what, began, more = '') {
  console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s ${more}`);
}
