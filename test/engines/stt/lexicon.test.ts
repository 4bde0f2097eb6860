import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PHONES, pronounce } from '../../../src/engines/stt/letter-to-sound.ts';
import { Lexicon } from '../../../src/engines/stt/lexicon.ts';
import { packagedModelFolder } from '../../../src/engines/stt/model-folder.ts';

const dictionary = readFileSync(join(packagedModelFolder(), 'dict.txt'));
const lexicon = new Lexicon(dictionary, () => []);

describe('Lexicon over the packaged dictionary', () => {
  it.each([
    { word: 'order', phones: ['AO R D ER'] },
    { word: 'riyadh', phones: ['R IY AE D', 'R IY AA D'] },
    { word: "where's", phones: ['W EH R Z', 'HH W EH R Z'] },
    { word: "'bout", phones: ['B AW T'] },
    { word: 'orde', phones: [] },
    { word: '', phones: [] },
    { word: 'two words', phones: [] },
    { word: 'a(2)', phones: [] },
    { word: ';;', phones: [] },
    { word: 'ورد', phones: [] },
  ])('$word', ({ word, phones }) => {
    expect(lexicon.pronunciations(word)).toEqual(phones);
  });

  it('finds words all over the file', () => {
    const lines = dictionary
      .toString('latin1')
      .split('\n')
      .filter((line) => !line.startsWith(';;') && !/^\S+\(\d\)/.test(line) && line !== '');
    const sample = lines.filter((_, i) => i % 997 === 0);
    expect(sample.length).toBeGreaterThan(100);
    for (const line of sample)
      expect(lexicon.pronunciations(line.split(' ')[0] ?? '')[0]).toBe(line.slice(line.indexOf(' ') + 1).trim());
  });

  it('survives an empty file and one without a last newline', () => {
    expect(new Lexicon(Buffer.alloc(0), () => []).pronunciations('order')).toEqual([]);
    expect(new Lexicon(Buffer.from('a AH\nb B IY'), () => []).pronunciations('b')).toEqual(['B IY']);
  });

  it('falls back on spelling', () => {
    expect(new Lexicon(dictionary).pronunciations('nidaa')).toEqual(['N IH D AA', 'N IY D AA']);
    expect(new Lexicon(dictionary).has('nidaa')).toBe(false);
  });
});

describe('letter to sound', () => {
  it.each([
    { word: 'nidaa', phones: 'N IH D AA' },
    { word: 'khobar', phones: 'K AA B AA R' },
    { word: 'dhl', phones: 'D IY EY CH EH L' },
    { word: 'shake', phones: 'SH EY K' },
    { word: 'jeddah', phones: 'JH EH D AE' },
    { word: "o'brix", phones: 'AA B R IH K S' },
  ])('$word', ({ word, phones }) => {
    expect(pronounce(word)[0]).toBe(phones);
  });
  it.each([
    { word: 'majed', readings: ['M AE JH EH D', 'M AA JH EH D', 'M AA JH IH D', 'M AE JH IH D'] },
    { word: 'qasim', readings: ['K AE S IH M', 'G AA S IY M', 'G AA S IH M'] },
    { word: 'yazid', readings: ['Y AE Z IH D', 'Y AA Z IY D', 'Y AA Z IH D'] }, // what begins the word is no vowel
    { word: 'fadl', readings: ['F AE D L', 'F AA D L'] }, // its only vowel is not reduced
    { word: 'nouf', readings: ['N AW F', 'N UW F'] },
    { word: 'dhl', readings: ['D IY EY CH EH L'] },
  ])('says $word as English spells and as it is meant', ({ word, readings }) => {
    expect(pronounce(word)).toEqual(readings);
  });
  it.each(['', 'ورد', 'b2b', 'a'.repeat(25)])('cannot speak %j', (word) => {
    expect(pronounce(word)).toEqual([]);
  });
  it('uses only phones that the acoustic model has', () => {
    for (const word of [
      'xylophone',
      'thoughtful',
      'queueing',
      'wrongly',
      'zzyzx',
      'ohio',
      'dhubai',
      'qawi',
      'cecilia',
    ]) {
      for (const phone of pronounce(word).join(' ').split(' ')) expect(PHONES).toContain(phone);
    }
  });
});
