import { describe, expect, it } from 'vitest';
import { isShortage, Shortage } from '../../src/core/shortage.ts';

describe('nothing left to open or start', () => {
  it.each([
    ['a code of the system', Object.assign(new Error('open'), { code: 'EMFILE' })],
    ['a thread of Node', Object.assign(new Error('Worker initialization failure'), { code: 'ERR_WORKER_INIT_FAILED' })],
    [
      'a module that could not be read, without a code',
      new Error('Cannot read package config /a: too many open files.'),
    ],
    ['the cause of a cause', new Error('failed', { cause: new Error('why', { cause: new Shortage('no thread') }) })],
  ])('is found by %s', (_, error) => expect(isShortage(error)).toBe(true));

  it.each([
    new Error('no such file'),
    Object.assign(new Error('open'), { code: 'ENOENT' }),
    'too many open files',
    undefined,
  ])('is not %s', (error) => expect(isShortage(error)).toBe(false));
});
