import { expect, it } from 'vitest';
import { allocateCells, wipeCells } from '../../src/media/plane/shared-cells.ts';

it('gives each its own cells of one memory, and wipes those alone', () => {
  const users = allocateCells([1, 3, 2]);
  const [{ words, numbers }] = users;
  expect(words.buffer.byteLength).toBe(6 * 8);
  expect(words.buffer).toBe(numbers.buffer);
  for (const { at, count } of users) numbers.fill(at + 1, at, at + count);
  expect([...numbers]).toEqual([1, 2, 2, 2, 5, 5]);
  wipeCells(users[1]);
  expect([...numbers]).toEqual([1, 0, 0, 0, 5, 5]);
  for (const user of users) expect([user.words, user.numbers]).toEqual([words, numbers]);
});

it('stays one memory on its way to another thread', () => {
  const [one, other] = structuredClone(allocateCells([2, 1]));
  expect(one.words).toBe(other.words);
  expect(one.numbers.buffer).toBe(other.words.buffer);
});
