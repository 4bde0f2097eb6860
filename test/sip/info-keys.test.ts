import { expect, it } from 'vitest';
import { parseInfoDtmf } from '../../src/sip/info-dtmf.ts';
import { INFO_KEYS_MAX, InfoKeys } from '../../src/sip/info-keys.ts';

function sending() {
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const keys = new InfoKeys(({ headers, body }) => {
    const key = parseInfoDtmf(headers['Content-Type'] ?? '', body);
    sent.push(typeof key === 'object' ? key.digit : 'unreadable');
    return new Promise<void>((resolve) => answers.push(resolve));
  });
  const answer = async (): Promise<void> => {
    answers.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { keys, sent, answer };
}

it('sends one key after the answer to the one before', async () => {
  const { keys, sent, answer } = sending();
  keys.press('1 x*');
  keys.press('d');
  expect(sent).toEqual(['1']);
  for (const _ of 'three') await answer();
  expect(sent).toEqual(['1', '*', 'D']);
  keys.press('9');
  expect(sent).toEqual(['1', '*', 'D', '9']);
});

it('keeps a bounded number', async () => {
  const { keys, sent, answer } = sending();
  keys.press('1'.repeat(INFO_KEYS_MAX + 50));
  for (let n = 0; n < INFO_KEYS_MAX + 60; n += 1) await answer();
  expect(sent.length).toBe(INFO_KEYS_MAX);
});
