import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/language/fold.ts';
import * as cues from '../../../src/language/phrases/cues.ts';

describe.each(Object.entries(cues))('%s', (_, list) => {
  it('is phrases of one script each, none of them empty or twice', () => {
    const phrases = list.split('|').map(fold);
    expect(phrases.filter((phrase) => phrase === '' || (/[a-z]/.test(phrase) && /[؀-ۿ]/.test(phrase)))).toEqual([]);
    expect(phrases.filter((phrase, at) => phrases.indexOf(phrase) !== at)).toEqual([]);
  });
});
