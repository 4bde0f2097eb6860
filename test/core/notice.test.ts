import { describe, expect, it } from 'vitest';
import {
  type KeptCode,
  KINDS,
  NOTICES,
  type NoticeKind,
  notice,
  noticeOf,
  sentence,
  textOf,
} from '../../src/core/notice.ts';

/** Kept sentences that may stand in another of their kind. */
const INNER: Partial<Record<NoticeKind, string>> = {
  end: sentence('full.every-line'),
  request: sentence('full.every-line'),
  run: sentence('run.stopped'),
  engine: sentence('engine.no-sound'),
  part: sentence('engine.no-sound'),
};

describe('a sentence', () => {
  it('is made of its values, other sentences among them', () => {
    const wanted = notice('wanted.either', { one: notice('wanted.name'), other: notice('wanted.boolean') });
    const said = notice('shape.unfit', { wanted, got: notice('got.entries', { count: 3 }) });
    expect(textOf(said)).toBe('expected a name of letters, digits, _ and - or true or false, got 3 entries');
    expect(JSON.parse(JSON.stringify(said))).toEqual(said);
    expect(said.params['got']).toEqual({ code: 'got.entries', params: { count: '3' } });
  });

  it('has the signs of a value as they are', () => {
    const name = '$& <name> {{x}}';
    expect(textOf(notice('end.trunk-off', { name }))).toBe(`trunk ${name} is switched off`);
  });
});

describe('a kept sentence', () => {
  const kinds = Object.keys(KINDS) as NoticeKind[];
  const codesOf = (kind: NoticeKind): KeptCode[] =>
    (Object.keys(NOTICES) as KeptCode[]).filter((code) => KINDS[kind].some((group) => code.startsWith(`${group}.`)));

  it.each(kinds.flatMap((kind) => codesOf(kind).map((code) => [kind, code] as const)))(
    'of the kind %s with the code %s is read back',
    (kind, code) => {
      const names = [...NOTICES[code].matchAll(/<([a-z]+)>/g)].map(([, name]) => name!);
      const inner = INNER[kind];
      const values = names.map((name): [string, string] => {
        const isNested = ['why', 'first', 'rest'].includes(name);
        return [name, isNested ? inner! : `the-${name}`];
      });
      const text = textOf({ code, params: Object.fromEntries(values) });
      const params = values.map(([name, value]) => [name, value === inner ? noticeOf(value, kind) : value]);
      expect(noticeOf(text, kind)).toEqual({ code, params: Object.fromEntries(params) });
    },
  );

  it('is read back with those in it', () => {
    const one = sentence('route.trunk-why', { trunk: 'stc', why: sentence('route.off') });
    const other = sentence('route.trunk-why', { trunk: 'mobily', why: sentence('route.nothing-allowed') });
    const said = noticeOf(`${one}; ${other}`, 'end');
    expect(said && textOf(said)).toBe(`${one}; ${other}`);
    expect(said).toMatchObject({
      code: 'list.and',
      params: {
        first: { params: { trunk: 'stc', why: { code: 'route.off' } } },
        rest: { params: { trunk: 'mobily' } },
      },
    });
  });

  it.each(['', '486 Busy Here', 'stc: something new', 'after a transfer: Decline', 'the database is away'])(
    'is not what others say: "%s"',
    (text) => {
      expect(noticeOf(text, 'end')).toBeUndefined();
    },
  );

  it('of any length costs little', () => {
    const before = process.cpuUsage();
    expect(noticeOf(`a: ${'b; c: '.repeat(2_000)}`, 'end')).toBeUndefined();
    expect(noticeOf('; '.repeat(5_000), 'end')).toBeUndefined();
    expect(noticeOf(`${'a: it is switched off; '.repeat(40)}b: c`, 'end')).toBeUndefined();
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(1_000_000);
  });
});
