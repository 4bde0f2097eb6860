const COUNTRY = '966';
/** As routes/erasures.ts and the caretaker do it. */
const [PIECES_OF_REQUEST, PIECES_OF_ROUND] = [8, 200];

/** Erases somebody of the big account as a request does, and goes on in rounds of the caretaker. */
export async function eraseSomebody({ erasures }, accountId, number) {
  const timed = async (what, work) => {
    const began = performance.now();
    const result = await work();
    console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(2)} s`);
    return result;
  };
  const of = { countryCode: COUNTRY, accountId };
  const request = { piecesMax: PIECES_OF_REQUEST };
  await timed('dry run', () => erasures.erase(number, of, { ...request, isTried: true }));
  const { id, found } = await timed('request', () => erasures.erase(number, of, request));
  console.log(`found at once: ${JSON.stringify(found)}`);
  const began = performance.now();
  const rounds = [];
  for (;;) {
    const started = performance.now();
    await erasures.searchOn(PIECES_OF_ROUND);
    rounds.push((performance.now() - started) / 1000);
    if ((await erasures.get(id)).search === null) break;
  }
  const { found: all } = await erasures.get(id);
  console.log(
    `${rounds.length} rounds, ${rounds.map((s) => s.toFixed(1)).join(', ')} s; ${((performance.now() - began) / 1000).toFixed(1)} s in all`,
  );
  console.log(`found: ${JSON.stringify(all)}`);
}
