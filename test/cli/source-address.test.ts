import { describe, expect, it } from 'vitest';
import { sourceAddressToHost } from '../../src/cli/source-address.ts';

describe('the own address towards a host', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.8.8.8', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
  ])('%s is reached from %s', async (host, own) => {
    expect(await sourceAddressToHost(host)).toBe(own);
  });
});
