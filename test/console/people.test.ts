import { describe, expect, it } from 'vitest';
import { changeLines } from '../../src/console/pages/people/audit-changes.ts';
import { NO_FILTER, queryOf } from '../../src/console/pages/people/audit-filter.ts';
import { deviceOf } from '../../src/console/pages/people/device.ts';

describe('changes in the audit log', () => {
  const line = (path: string, kind: string, before?: string, after?: string) => ({
    ...{ path: path.split('.'), kind, before, after },
  });

  it.each([
    { name: 'nothing', before: null, after: null, lines: [] },
    {
      name: 'a value that was changed',
      before: { role: 'viewer', email: 'a@b.c', updated_at: '2026-01-01T00:00:00Z' },
      after: { role: 'editor', email: 'a@b.c', updated_at: '2026-01-02T00:00:00Z' },
      lines: [line('role', 'changed', 'viewer', 'editor')],
    },
    {
      name: 'something new, by its fields',
      before: null,
      after: { name: 'site', scopes: ['read', 'calls'], limits: { calls: 3, spend: null } },
      lines: [
        line('name', 'added', undefined, 'site'),
        line('scopes', 'added', undefined, 'read, calls'),
        line('limits.calls', 'added', undefined, '3'),
        line('limits.spend', 'added', undefined, 'null'),
      ],
    },
    {
      name: 'something removed, by its fields',
      before: { name: 'site', hosts: [{ uri: 'sip:a' }] },
      after: null,
      lines: [line('name', 'removed', 'site'), line('hosts.0.uri', 'removed', 'sip:a')],
    },
    {
      name: 'a plain value',
      before: 1,
      after: '<b>2</b>',
      lines: [{ path: [], kind: 'changed', before: '1', after: '<b>2</b>' }],
    },
    {
      name: 'names with slashes',
      before: { 'a/b': { '~': 1 } },
      after: { 'a/b': { '~': 2 } },
      lines: [{ path: ['a/b', '~'], kind: 'changed', before: '1', after: '2' }],
    },
  ])('$name', ({ before, after, lines }) => {
    expect(changeLines(before, after)).toEqual(lines);
  });
});

describe('devices of sessions', () => {
  const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  it.each([
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0`, 'Edge', 'Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'macOS'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1', 'Safari', 'iOS'],
    [
      `Mozilla/5.0 (Linux; Android 15) ${WEBKIT} SamsungBrowser/27.0 Chrome/125 Safari/537.36`,
      'Samsung Internet',
      'Android',
    ],
    ['curl/8.5.0', 'curl', undefined],
    ['<script>', undefined, undefined],
    ['', undefined, undefined],
  ])('%s', (userAgent, browser, system) => {
    expect(deviceOf(userAgent)).toEqual({ browser, system });
  });
});

describe('filters of the audit log', () => {
  it('ask for what was chosen, and for whole days of the reader', () => {
    expect(queryOf(NO_FILTER, 'Asia/Riyadh')).toEqual({});
    expect(
      queryOf({ ...NO_FILTER, kind: 'agent', target: ' agt_1 ', from: '2026-01-31', to: '2026-01-31' }, 'Asia/Riyadh'),
    ).toEqual({
      ...{ target_kind: 'agent', target_id: 'agt_1' },
      ...{ from: '2026-01-30T21:00:00.000Z', to: '2026-01-31T21:00:00.000Z' },
    });
    expect(queryOf({ ...NO_FILTER, from: 'yesterday', action: 'topUp', actor: 'per_1' }, 'UTC')).toEqual({
      ...{ action: 'topUp', actor_id: 'per_1' },
    });
  });
});
