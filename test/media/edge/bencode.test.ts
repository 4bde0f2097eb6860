import { describe, expect, it } from 'vitest';
import { type Bencoded, bdecode, bencode, textAt } from '../../../src/media/edge/bencode.ts';
import { randomFrom } from '../../support/seeded-random.ts';

const read = (text: string): Bencoded | undefined => bdecode(Buffer.from(text));
const dictionary = (pairs: Record<string, Bencoded>): Bencoded => new Map(Object.entries(pairs));

describe('bencode', () => {
  it.each([
    { name: 'a ping', value: { command: 'ping' }, text: 'd7:command4:pinge' },
    { name: 'what is undefined is left out', value: { a: undefined, b: 'x' }, text: 'd1:b1:xe' },
    { name: 'a number', value: { 'delete-delay': 0 }, text: 'd12:delete-delayi0ee' },
    { name: 'a list', value: { replace: ['origin', 'username'] }, text: 'd7:replacel6:origin8:usernameee' },
    { name: 'lengths are bytes', value: 'نداء', text: '8:نداء' },
  ])('$name', ({ value, text }) => {
    expect(bencode(value)).toBe(text);
  });

  it.each<{ name: string; text: string; value: Bencoded | undefined }>([
    { name: 'a pong', text: 'd6:result4:ponge', value: dictionary({ result: 'pong' }) },
    { name: 'nested', text: 'd1:ald1:bi-7eeee', value: dictionary({ a: [dictionary({ b: -7 })] }) },
    { name: 'nothing in it', text: 'de', value: dictionary({}) },
    { name: 'an empty text', text: '0:', value: '' },
    { name: 'nothing', text: '', value: undefined },
    { name: 'something behind', text: 'i1ei2e', value: undefined },
    { name: 'a text that is cut off', text: '5:abc', value: undefined },
    { name: 'a length that is none', text: '5a:abcde', value: undefined },
    { name: 'a length beyond everything', text: '99999999999999999999:a', value: undefined },
    { name: 'a negative length', text: '-1:a', value: undefined },
    { name: 'a number without digits', text: 'ie', value: undefined },
    { name: 'a minus without digits', text: 'i-e', value: undefined },
    { name: 'a list without an end', text: 'l1:a', value: undefined },
    { name: 'a key that is a number', text: 'di1e1:ae', value: undefined },
    { name: 'a key without a value', text: 'd1:ae', value: undefined },
    { name: 'deeper than anybody answers', text: `${'l'.repeat(1_000)}${'e'.repeat(1_000)}`, value: undefined },
  ])('reads $name', ({ text, value }) => {
    expect(read(text)).toEqual(value);
  });

  it('keeps keys of the network off its objects', () => {
    const value = read('d9:__proto__d8:polluted3:yesee');
    expect(textAt(value, 'polluted')).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('never throws, whatever comes', () => {
    const random = randomFrom(7);
    const whole = Buffer.from(`d6:result2:ok3:sdp4:v=0\n4:tagsd5:outerd6:mediasld5:indexi1eeeeee`);
    for (let run = 0; run < 20_000; run += 1) {
      const bytes = Buffer.from(whole);
      for (let turned = 0; turned <= run % 4; turned += 1) {
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      }
      bdecode(bytes.subarray(0, Math.ceil(random() * bytes.length)));
    }
  });
});
