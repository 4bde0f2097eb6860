import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../../src/engines/mcp/json-arguments.ts';
import { runs } from '../../support/property-runs.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    order: { type: 'string', minLength: 2, maxLength: 10 },
    count: { type: 'integer', minimum: 1, maximum: 5 },
    price: { type: ['number', 'null'] },
    kind: { enum: ['a', 'b'] },
    urgent: { type: 'boolean' },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      maxItems: 2,
    },
    either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  },
  required: ['order'],
};

describe('arguments by JSON Schema', () => {
  it.each<[object, unknown?]>([
    [{ order: '4521' }],
    [{ order: '4521', count: 5, price: null, kind: 'b', urgent: false, lines: [{ id: 'x' }], either: 3 }],
    [{ order: '4521', price: 2.5, either: 'x', lines: [] }],
    [
      { order: '4521', count: '3' },
      { order: '4521', count: 3 },
    ],
    [{ order: 'four five two one' }, { order: '4521' }],
    [{ order: 'خمسه سته سبعه' }, { order: '567' }],
    [{ order: 'one day' }],
  ])('takes %j', (given, read = given) => {
    expect(readJson(SCHEMA, given)).toEqual({ ok: true, value: read });
  });

  it.each([
    [{}, 'order is missing'],
    [{ order: 4521 }, 'order is no string'],
    [{ order: '4' }, 'order is shorter'],
    [{ order: '12345678901' }, 'order is longer'],
    [{ order: 'ab', count: 0 }, 'count is less than 1'],
    [{ order: 'ab', count: 2.5 }, 'count is no integer'],
    [{ order: 'ab', count: 'many' }, 'count is no integer'],
    [{ order: 'ab', price: 'x' }, 'price is no number or null'],
    [{ order: 'ab', kind: 'c' }, 'kind is none of a, b'],
    [{ order: 'ab', urgent: 'yes' }, 'urgent is no boolean'],
    [{ order: 'ab', lines: [{}] }, 'lines[0].id is missing'],
    [{ order: 'ab', lines: [{ id: 'x' }, { id: 'x' }, { id: 'x' }] }, 'lines has more than 2'],
    [{ order: 'ab', either: [] }, 'either is none of what'],
    [{ order: 'ab', other: 1 }, 'takes order, count'],
    [[], 'it is no object'],
  ])('refuses %j: %s', (given, why) => {
    expect(readJson(SCHEMA, given)).toEqual({ ok: false, why: expect.stringContaining(why) });
  });

  it('holds any schema and any value without throwing, and stops at its depth', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4 }), fc.anything({ maxDepth: 4 }), (schema, value) => {
        expect(typeof readJson(schema as never, value).ok).toBe('boolean');
      }),
      { numRuns: runs(1_000) },
    );
    const deep: Record<string, unknown> = { type: 'array' };
    deep['items'] = deep;
    let value: unknown = [];
    for (let i = 0; i < 50; i += 1) value = [value];
    expect(readJson(deep, value)).toMatchObject({ ok: false, why: expect.stringContaining('too deep') });
  });
});
