/**
 * Whether the owner of a record is heard where the agent asks for the name: names of a table that no dictionary has, read by English
 * machine voices and said in Arabic by an Arabic one, which is nearer to how they are said and farther from any person's voice. Then
 * names that are in no table, which must not be taken for one that is.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { people, say } from './voices.mjs';

const OWNERS = readFileSync(new URL('owners.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'));
/** Given names that are known without a table, two together. */
const OTHERS = ['Sara Ahmed', 'David Miller', 'Fatima Hassan', 'Omar Khalid', 'Emily Wilson', 'Saad Mansour', 'Reem Saleh', 'John Peter',
  'Nora Faisal', 'Hamza Ali', 'Layla Ibrahim', 'Thomas Brown', 'Huda Nasser', 'Mona Salem', 'Kevin Smith', 'Zainab Hussein']; // biome-ignore format: a list
const HINTS = { phrases: OWNERS.map(([written]) => written), expect: ['name'] };
const ARABIC = {
  name: 'espeak ar',
  speak: (text, file) => execFileSync('espeak-ng', ['-v', 'ar', '-s', '150', '-w', file, text]),
};

/** @param recognise - (samples, hints) => `{text}`. */
export async function namesOfOwners(recognise, { verbose }) {
  const readers = people();
  const heardBy = async (voice, text) => (await recognise(say(voice, text), HINTS)).text.toLowerCase();
  for (const voice of [...readers, ARABIC]) {
    const count = { right: 0, nothing: 0, other: 0 };
    for (const [written, arabic] of OWNERS) {
      const heard = await heardBy(voice, voice === ARABIC ? arabic : written);
      const kind = heard === written.toLowerCase() ? 'right' : heard === '' ? 'nothing' : 'other';
      count[kind] += 1;
      if (verbose && kind !== 'right') console.log(`  ${voice.name}: ${written} -> ${heard || 'nothing'}`);
    }
    console.log(
      `${voice.name.padEnd(12)} owner heard ${count.right} of ${OWNERS.length}, nothing ${count.nothing}, somebody else ${count.other}`,
    );
  }
  let right = 0;
  let owners = 0;
  for (const voice of readers) {
    for (const name of OTHERS) {
      const heard = await heardBy(voice, name);
      if (heard === name.toLowerCase()) right += 1;
      if (OWNERS.some(([written]) => heard.includes(written.toLowerCase()))) owners += 1;
    }
  }
  console.log(`names of no record: ${right} of ${OTHERS.length * readers.length} heard, ${owners} taken for an owner`);
}
