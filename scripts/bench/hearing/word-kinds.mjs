/** Which words of a sentence were missed, and of what kind they are. Pure. */

const DAYS = 'sunday monday tuesday wednesday thursday friday saturday today tomorrow yesterday tonight weekend week';
const HOURS =
  'morning afternoon evening noon night midday midnight oclock am pm half quarter past next first second third';
const WHEN = new Set(`${DAYS} ${HOURS}`.split(' '));
const SMALL = new Set(
  (
    'a an the and or but so if of to in on at by for from with as is it its was were be been are am i im ive id ill you your youre he she ' +
    'his her him they them their theyre we our us me my this that thats there theres not no do does did dont didnt have has had can cant ' +
    'could would will wont just up out what who when where how which than then too some any all one'
  ).split(' '),
);

/** Of what kind a word that was said is, as words are compared. @param known - words that the recogniser has. */
export function kindOf(word, known) {
  if (/^\d+$/.test(word)) return 'digits';
  if (WHEN.has(word.replace(/s$/, '')) || WHEN.has(word)) return 'days, times';
  if (!known.has(word)) return 'not in the model';
  return SMALL.has(word) ? 'small words' : 'other words';
}

/** Which of the words of `said` have none of their own in the cheapest way to `heard`. @returns one boolean for each. */
export function missed(said, heard) {
  const cost = Array.from({ length: said.length + 1 }, (_, i) => [i]);
  for (let j = 0; j <= heard.length; j += 1) cost[0][j] = j;
  for (let i = 1; i <= said.length; i += 1)
    for (let j = 1; j <= heard.length; j += 1) {
      const change = said[i - 1] === heard[j - 1] ? 0 : 1;
      cost[i][j] = Math.min(cost[i - 1][j - 1] + change, cost[i - 1][j] + 1, cost[i][j - 1] + 1);
    }
  const wrong = Array(said.length).fill(true);
  for (let i = said.length, j = heard.length; i > 0 && j > 0; ) {
    const isSame = said[i - 1] === heard[j - 1];
    if (cost[i][j] === cost[i - 1][j - 1] + (isSame ? 0 : 1)) {
      wrong[i - 1] = !isSame;
      i -= 1;
      j -= 1;
    } else if (cost[i][j] === cost[i - 1][j] + 1) i -= 1;
    else j -= 1;
  }
  return wrong;
}
