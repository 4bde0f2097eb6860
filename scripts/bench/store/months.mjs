/** Makes the tables of so many months before this one: a statement each, as the product does. */
export async function makeMonths(pool, count) {
  for (let n = 1; n <= count; n += 1) {
    await pool.query(
      'SELECT make_month(name, month_start(now()) - make_interval(months => $1::int)) FROM month_roots()',
      [n],
    );
  }
}
