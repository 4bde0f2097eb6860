import { describe, expect, it } from 'vitest';
import { UnkeptAnswers } from '../../src/store/unkept-answers.ts';

const unkept = (bytes: number) => ({
  request: { accountId: 'acc', path: '/', key: 'k', requestSha256: Buffer.alloc(32) },
  answer: { status: 200, headers: {}, body: Buffer.alloc(bytes) },
});

describe('answers that wait for the database', () => {
  it('are found again until they are deleted, the latest of a name counting', () => {
    const answers = new UnkeptAnswers(100_000);
    answers.put('a', unkept(1));
    answers.put('a', unkept(2));
    expect(answers.get('a')?.answer.body).toHaveLength(2);
    answers.delete('a');
    answers.delete('a');
    expect(answers.get('a')).toBeUndefined();
  });

  it('push the oldest out when there are too many bytes', () => {
    const answers = new UnkeptAnswers(10_000);
    for (const name of ['a', 'b', 'c']) answers.put(name, unkept(3_500));
    expect(['a', 'b', 'c'].map((name) => answers.get(name) !== undefined)).toEqual([false, true, true]);
    for (let n = 0; n < 1_000; n += 1) answers.put(`n${n}`, unkept(0));
    expect([answers.get('n989'), answers.get('n990')].map((one) => one !== undefined)).toEqual([false, true]);
    answers.put('whale', unkept(20_000));
    expect(answers.get('whale')).toBeUndefined();
  });
});
