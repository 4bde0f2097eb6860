import { describe, expect, it } from 'vitest';
import { spokenRow } from '../../../src/engines/document/retrieval/spoken-row.ts';

describe('a row of a table is said', () => {
  it.each([
    ['Shop\t100\t1,700 riyals', 'Plan\tParcels a month\tPrice', 'Shop: Parcels a month 100, Price 1,700 riyals'],
    ['Shop  100  1,700 riyals', 'Plan  Parcels a month  Price', 'Shop: Parcels a month 100, Price 1,700 riyals'],
    ['Shop  1,700 riyals', undefined, 'Shop: 1,700 riyals'],
    ['| تنظيف الأسنان | 300 ريال |', '| الخدمة | السعر |', 'تنظيف الأسنان: 300 ريال'],
    ['Cleaning,300', 'Service,Price in riyals', 'Cleaning: Price in riyals 300'],
    ['"Cleaning, deep";300;', 'Service;Price;Remark', 'Cleaning, deep: Price 300'],
    ['Cleaning,300', undefined, 'Cleaning: 300'],
    ['Cleaning,300,400', 'Service,Price', 'Cleaning: 300, 400'],
    ['Nothing but words', 'Service', 'Nothing but words'],
    ['|  | 5 | 6 |', '| a | b | c |', 'b 5, c 6'],
    ['', undefined, ''],
  ])('%j below %j: %j', (row, header, said) => {
    expect(spokenRow(row, header)).toBe(said);
  });
});
