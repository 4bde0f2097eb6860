import { atLeisure, withoutIndexes } from './indexes.mjs';
import { makeMonths } from './months.mjs';

/** Calls a piece: what a transaction of the filling makes. */
const PIECE = 25_000;
const ACCOUNTS = 20;
const AGENTS = 40;
/** A call of two minutes and three replies, by the bookings it makes: a minute is one, a reply another. */
export const USUAL = { turns: 6, charges: 5 };
const DAYS = 365;
const TABLES = ['calls', 'turns', 'charges', 'ledger'];
export const BIG = 'acc_bench1';

/** The n-th call: three in five of the one big account, times over a year. */
const CALL = `CASE WHEN n % 5 < 3 THEN '${BIG}' ELSE 'acc_bench' || 2 + n % ${ACCOUNTS - 1} END AS account,
  now() - interval '${DAYS} days' * (1 - n::float / $3) - interval '2 minutes' AS at`;
const OF = `FROM (SELECT *, timed_id('call', at) || substr(md5('c' || n), 1, 13) AS id
  FROM (SELECT n, ${CALL} FROM generate_series($1::bigint, $2::bigint) AS n) AS c) AS k`;

/** What is filled at the same time: records, and money. */
const records = ({ turns }) => [
  `INSERT INTO calls (id, sip_call_id, account_id, agent_id, agent_version, agent_name, from_number, to_number, gateway, started_at, answered_at, ended_at,
     talk_ms, end_party, end_reason, cost_cents, quality, judged_turns, understood_turns, answer_ms, answered_by, words)
   SELECT id, md5('s' || n), account, 'agt_bench' || n % ${AGENTS}, 1, 'Agent ' || n % ${AGENTS}, '+9665' || 10000000 + n % 5000000, '800' || n % 100,
     'gw_bench', at, at + interval '1 s', at + interval '91 s', 90000, CASE WHEN n % 200 = 0 THEN 'gateway' ELSE 'caller' END,
     CASE WHEN n % 200 = 0 THEN 'engine-failed' ELSE 'caller-hangup' END, 10, '{"mos":4.2,"packetsReceived":4500,"jitterMs":3}', 3, 3,
     ARRAY[700, 800, 650], CASE WHEN n % 3 = 0 THEN 'human' END, to_tsvector('simple', 'where is my order number ' || n % 100000) ${OF}`,
  `INSERT INTO turns (call_id, index, role, text, started_ms, heard_ms, latency_ms, timings)
   SELECT id, i, CASE WHEN i % 2 = 0 THEN 'agent' ELSE 'caller' END, 'where is my order number ' || n % 100000 || ', I was told that it would come today',
     i * 15000, 4000, 700, '{"endpointing":500,"stt":80,"reply":40,"tts":60,"playout":20}' ${OF}, generate_series(0, ${turns - 1}) AS i`,
];
const money = ({ charges }) => [
  `INSERT INTO charges (id, account_id, owner, kind, state, reserved_cents, settled_cents, gateway, created_at, closed_at)
   SELECT id || CASE WHEN i < 2 THEN '/minute/' || i ELSE '/turn/' || i END, account, id, CASE WHEN i < 2 THEN 'call-minute' ELSE 'call-turn' END,
     'settled', 2, 2, 'gw_bench', at, at + interval '60 s' ${OF}, generate_series(0, ${charges - 1}) AS i`,
  `INSERT INTO ledger (id, account_id, kind, cents, balance_after_cents, created_at)
   SELECT id || CASE WHEN i < 2 THEN '/minute/' || i ELSE '/turn/' || i END, account, CASE WHEN i < 2 THEN 'call-minute' ELSE 'call-turn' END, -2, 0, at
   ${OF}, generate_series(0, ${charges - 1}) AS i ORDER BY at`,
];

/** @param each - of a call: turns and charges. @param tell - after each piece: what was made so far. */
export async function fill(pool, calls, each, tell) {
  const both = [records(each), money(each)];
  await pool.query(
    `INSERT INTO accounts (id, name, balance_cents) SELECT 'acc_bench' || n, 'Bench ' || n, 1000000 FROM generate_series(1, ${ACCOUNTS}) n`,
  );
  await pool.query(`INSERT INTO gateways (id, node, fenced_at) VALUES ('gw_bench', 'bench', now())`);
  await makeMonths(pool, Math.ceil(DAYS / 30));
  const putBack = await withoutIndexes(pool, TABLES);
  for (let from = 1; from <= calls; from += PIECE) {
    const to = Math.min(calls, from + PIECE - 1);
    await Promise.all(both.map((steps) => piece(pool, steps, [from, to, calls])));
    tell(`${to} calls`);
  }
  await putBack((name) => tell(`index ${name}`));
  for (const table of TABLES) {
    tell(`vacuum of ${table}`);
    await atLeisure(pool, `VACUUM (ANALYZE) ${table}`);
  }
}

async function piece(pool, steps, values) {
  const client = await pool.connect();
  try {
    await client.query(
      'BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL synchronous_commit = off; SET LOCAL statement_timeout = 0',
    );
    for (const text of steps) await client.query({ text, values, query_timeout: 3_600_000 });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
