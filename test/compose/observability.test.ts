import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../src/core/metrics.ts';
import { hasCommand } from '../support/caller-voice.ts';

const FOLDER = fileURLToPath(new URL('../../docker/observability/', import.meta.url));
const DASHBOARDS = `${FOLDER}grafana/dashboards/`;

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Dashboard {
  readonly uid: string;
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const read = (file: string): string => readFileSync(`${FOLDER}${file}`, 'utf8');
const { groups } = parse(read('alerts.yml')) as { groups: readonly { readonly rules: readonly Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboards = readdirSync(DASHBOARDS).map(
  (name) => [name, JSON.parse(readFileSync(DASHBOARDS + name, 'utf8')) as Dashboard] as const,
);
const expressions = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboards.flatMap(([name, { panels }]) =>
    panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: `${name}: ${title}`, expr }))),
  ),
];

/** Every name of a series, with its labels; Prometheus adds the first two. */
const known = new Map<string, ReadonlySet<string>>([['up', new Set(['instance', 'job'])]]);
for (const { name, type, labelNames } of createMetrics().registry.getMetricsAsArray() as unknown as readonly {
  readonly name: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}[]) {
  const labels = new Set(['instance', 'job', ...labelNames]);
  const isHistogram = type === 'histogram';
  for (const ending of isHistogram ? ['_sum', '_count'] : ['']) known.set(name + ending, labels);
  if (isHistogram) known.set(`${name}_bucket`, new Set([...labels, 'le']));
}

/** Series with the labels that an expression wants of them, and labels that it keeps. */
function namedIn(expr: string) {
  const series = [...expr.matchAll(/\b((?:nidaa|process|nodejs)_[a-z0-9_]+|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, name = '', matchers = '']) => ({
      name,
      labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }),
  );
  const kept = [...expr.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/\s*,\s*/));
  return { series, kept: kept.filter((label) => label !== '') };
}

describe.each(expressions)('$where', ({ expr }) => {
  it('names metrics and labels that there are', () => {
    const { series, kept } = namedIn(expr);
    expect(series.length).toBeGreaterThan(0);
    const wrong = series.filter(({ name, labels }) => !labels.every((label) => known.get(name)?.has(label)));
    expect(wrong).toEqual([]);
    const all = new Set(series.flatMap(({ name }) => [...(known.get(name) ?? [])]));
    expect(kept.filter((label) => !all.has(label))).toEqual([]);
  });
});

describe('alerts', () => {
  it('have a name of their own, a severity, and say what is wrong', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels['severity']);
      expect(annotations['summary']?.length).toBeGreaterThan(20);
    }
  });

  it('are each tried by a fault', () => {
    const tried = read('alerts.test.yml');
    expect(rules.filter(({ alert }) => !tried.includes(`alertname="${alert}"`))).toEqual([]);
  });

  it('are each fired by a real one among the trials of nodes', () => {
    const folder = fileURLToPath(new URL('../nodes/', import.meta.url));
    const trials = readdirSync(folder).map((name) => readFileSync(folder + name, 'utf8'));
    const isFired = (alert: string): boolean =>
      [`fires('${alert}'`, `look()).includes('${alert}')`].some((words) => trials.some((one) => one.includes(words)));
    expect(rules.map(({ alert }) => alert).filter((alert) => !isFired(alert))).toEqual([]);
  });

  it.skipIf(!hasCommand('promtool')).each([
    ['check', 'config', 'prometheus.yml'],
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ])('promtool %s %s %s', (...words) => {
    const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: FOLDER, encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  });
});

describe('dashboards', () => {
  it('have an id and panels of their own', () => {
    expect(new Set(dashboards.map(([, { uid }]) => uid)).size).toBe(dashboards.length);
    for (const [name, { uid, panels }] of dashboards) {
      expect(`${uid}.json`).toBe(`nidaa-${name}`);
      expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    }
  });
});
