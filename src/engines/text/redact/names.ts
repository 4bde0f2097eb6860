import { arabicName, prefixBefore } from './arabic-name.ts';
import { latinName } from './latin-name.ts';
import { ARABIC_TRIGGERS, LATIN_TRIGGERS, type Trigger } from './name-triggers.ts';
import { PhraseIndex } from './phrase-index.ts';
import type { Found, Reading } from './reading.ts';

const TITLE_GAP = /^[\s.:/,"'()=-]{0,4}$/;

const TRIGGERS = new PhraseIndex<Trigger>('plain');
for (const trigger of ['strong', 'title', 'self', 'kin', 'weak'] as const) {
  TRIGGERS.add(ARABIC_TRIGGERS[trigger], trigger);
  TRIGGERS.add(LATIN_TRIGGERS[trigger], trigger);
}

/** Names of people: after a trigger, or a listed given name followed by a family name or بن. */
export function findNames(reading: Reading): Found[] {
  const found: Found[] = [];
  const { tokens } = reading;
  let at = 0;
  while (at < tokens.length) {
    const trigger = tokens[at]!.type === 'word' ? TRIGGERS.at(tokens, reading.forms, at) : undefined;
    if (trigger !== undefined && TITLE_GAP.test(reading.gapBefore(trigger.last + 1))) {
      const last = nameAt(reading, trigger.last + 1, trigger.meaning);
      if (last !== undefined) {
        found.push(reading.foundTokens('Person Name', trigger.last + 1, last, 0.9));
        at = last + 1;
        continue;
      }
    }
    const last = nameAt(reading, at, 'none');
    if (last === undefined) {
      at += 1;
    } else {
      const start = tokens[at]!.start + prefixBefore(tokens[at]!.text);
      found.push(reading.found('Person Name', start, tokens[last]!.end, 0.8));
      at = last + 1;
    }
  }
  return found;
}

function nameAt(reading: Reading, first: number, trigger: Trigger | 'none'): number | undefined {
  const token = reading.tokens[first];
  if (token?.type !== 'word') return undefined;
  const last =
    token.text.charCodeAt(0) >= 0x600 ? arabicName(reading, first, trigger) : latinName(reading, first, trigger);
  return last;
}

const PASSENGER = /(?<![a-z])[a-z]{2,24}\/[a-z]{2,20}(?: [a-z]{2,20}){0,2} ?(?:mr|mrs|ms|miss|mstr|dr)(?![a-z])/g;

/** Names as airlines write them, `ALOTAIBI/FAHAD MR`. */
export function findPassengerNames(reading: Reading): Found[] {
  const found: Found[] = [];
  for (const match of reading.lower.matchAll(PASSENGER))
    found.push(reading.found('Person Name', match.index, match.index + match[0].length, 0.9));
  return found;
}
