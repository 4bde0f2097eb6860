import { describe, expect, it } from 'vitest';
import { groupParts, isPartName, PART_GROUPS } from '../../src/console/pages/system/part-groups.ts';

const ok = { state: 'ok', detail: null, detail_notice: null } as const;
const down = { state: 'down', detail: 'gone', detail_notice: null } as const;

describe('parts of a gateway', () => {
  it('stand in their groups, those in trouble first, and unknown ones are not lost', () => {
    const groups = groupParts({
      reply: ok,
      database: ok,
      sip: { state: 'degraded', detail: 'slow', detail_notice: null },
      later: down,
    });
    expect(groups.map(({ group, parts }) => [group, parts.map(({ name }) => name)])).toEqual([
      ['base', ['later', 'sip', 'database']],
      ['engines', ['reply']],
    ]);
    expect(groups[0]!.parts[0]).toEqual({ name: 'later', ...down });
  });

  it('have each one group, and names of objects are no parts', () => {
    const names = Object.values(PART_GROUPS).flat();
    expect(new Set(names).size).toBe(names.length);
    expect([isPartName('sip'), isPartName('constructor')]).toEqual([true, false]);
  });
});
