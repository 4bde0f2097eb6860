import { expect, it } from 'vitest';
import { contrasted } from '../../../src/language/values/contrast.ts';
import { same } from '../../../src/language/values/slot.ts';
import { wordsOf } from '../../../src/language/words.ts';

it.each([
  ['villa thirty on palm street', "no, it's thirteen not thirty", 'villa thirteen on palm street'],
  ['villa 30 on palm street', 'not thirty, thirteen', 'villa thirteen on palm street'],
  ['villa 30 on palm street', "no it's villa thirteen, not thirty, one three", 'villa thirteen on palm street'],
  ['villa 30 on palm street', 'date street instead of palm street', 'villa 30 on date street'],
  ['villa 30 on palm street', "not palm, it's date palm street", 'villa 30 on date palm street'],
  ['villa 30 on palm street', "it's villa fifty two five two not thirty", 'villa fifty two on palm street'],
  ['villa 30 on palm street', 'not thirty', undefined],
  ['villa 30 on palm street', 'thirteen, not forty', undefined],
  ['flat three on palm street', 'four five two two, not three zero nine zero', undefined],
  ['فيلا 30 شارع العليا', 'لا ثلاثه عشر مو ثلاثين', 'فيلا ثلاثه عشر شارع العليا'],
  ['فيلا 30 شارع العليا', 'شارع التحليه بدل شارع العليا', 'فيلا 30 شارع التحليه'],
])('%s | %s', (held, said, meant) => {
  expect(contrasted({ value: held, say: same(held) }, wordsOf(said))?.value).toBe(meant);
});
