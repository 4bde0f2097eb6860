import { describe, expect, it } from 'vitest';
import { placeIn } from '../../../src/language/values/place.ts';
import { wordsOf } from '../../../src/language/words.ts';

function placeOf(sentence: string): string | undefined {
  const words = wordsOf(sentence);
  const span = placeIn(words);
  return (
    span &&
    words
      .slice(span.start, span.end)
      .map(({ raw }) => raw)
      .join(' ')
  );
}

describe('an address in a sentence about more', () => {
  it.each([
    ['we live at al nakheel street fifteen villa three now', 'al nakheel street fifteen villa three'],
    ['from the flat in al murooj to jasmine tower floor nine please', 'jasmine tower floor nine'],
    ['can order nine one two three go to palm street eight', 'palm street eight'],
    ['palm street eight for nine one two three', 'palm street eight'],
    ['bring it to rimal compound in qurtubah', 'rimal compound in qurtubah'],
    ['send it to king saud road', 'king saud road'],
    ['i typed the wrong street i wrote olaya and it should be tahlia street', 'tahlia street'],
    ['i need it to come to the hospital housing', 'hospital housing'],
    ['send it to my new address instead it is al nakheel street villa twenty', 'al nakheel street villa twenty'],
    ["not there any more it's palm street eight", 'palm street eight'],
    ['i am not at home i live at palm street eight now', 'palm street eight'],
    ["don't cancel it send it to palm street eight", 'palm street eight'],
    ["i don't live in malaz any more i moved to olaya street in hittin", 'olaya street in hittin'],
    ['لا تلغيه وصلوه الى شارع التخصصي عماره سته', 'شارع التخصصي عماره سته'],
    ['وصلوه الى شارع التخصصي عماره سته', 'شارع التخصصي عماره سته'],
  ])('%s', (sentence, place) => expect(placeOf(sentence)).toBe(place));

  it.each([
    ['without a name', 'the building number is wrong it is building nine'],
    ['without a number or a second part', 'is it still at king road'],
    ['that it is not to go to', 'it is not going to my old place palm street eight'],
    ['refused', 'it should not go to my flat in malaz any more it should go to the clinic'],
    ['refused behind another', 'i want it delivered to my office not to my villa in rawdah'],
    ['refused with its verb', 'please do not bring it to jasmine tower floor nine'],
    ['refused with its verb', 'لا ترسلونه لشارع التخصصي عماره سته'],
    ['one of several', 'it has to go to the new house'],
    ['one of two', 'either palm street eight or maybe jasmine tower floor two'],
    ['taken back', 'palm street eight no sorry wait let me ask my wife'],
    ['with the number of something else', 'is it at king road nine one two three'],
  ])('%s is none', (_, sentence) => expect(placeOf(sentence)).toBeUndefined());
});
