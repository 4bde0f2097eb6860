import {
  type FieldPath,
  type ParsedText,
  type Place,
  pathOfField,
  placeOf,
} from '../../../../config/agent-text/yaml-document.ts';
import type { SaidNotice } from '../../../i18n/notice-pieces.ts';
import { type SectionId, sectionOf } from './fields.ts';

/** What the gateway answers to a definition that is checked. */
export interface Report {
  readonly ok: boolean;
  readonly findings: readonly {
    readonly severity: 'error' | 'warning';
    readonly field: string;
    readonly message: string;
    readonly notice: SaidNotice | null;
  }[];
  readonly pronunciation: {
    readonly coverage: number;
    readonly flagged: readonly {
      readonly path: readonly (string | number)[];
      readonly sentence: string;
      readonly token: string;
      readonly reason: string;
      readonly hint: string;
    }[];
  } | null;
}

/** Something about a place of the draft that its author should know. */
export interface Finding {
  readonly severity: 'error' | 'warning' | 'speech';
  readonly path: FieldPath;
  readonly message: string;
  /** The same as data, where there is any. */
  readonly notice?: SaidNotice | null;
  /** The word that a voice may mispronounce. */
  readonly token?: string;
  /** Of a text that cannot be read: where; others are where their field is. */
  readonly place?: Place;
}

const WEIGHT = { error: 0, warning: 1, speech: 2 } as const;

/** What cannot be read, else what the gateway found; errors first, then as the text goes. Pure. */
export function findingsOf(parsed: ParsedText, report: Report | undefined): readonly Finding[] {
  if (parsed.problems.length > 0) {
    return parsed.problems.map(({ message, notice, from, to }) => ({
      severity: 'error',
      path: [],
      message,
      notice,
      place: { from, to },
    }));
  }
  const findings: Finding[] = (report?.findings ?? []).map(({ severity, field, message, notice }) => ({
    ...{ severity, message, notice, path: pathOfField(field) },
  }));
  for (const { path, token, hint } of report?.pronunciation?.flagged ?? []) {
    findings.push({ severity: 'speech', path, token, message: hint });
  }
  return findings
    .map((finding) => ({ finding, at: placeOf(parsed, finding.path).from }))
    .sort((one, other) => WEIGHT[one.finding.severity] - WEIGHT[other.finding.severity] || one.at - other.at)
    .map(({ finding }) => finding);
}

/** Those of a field and of what is within it. Pure. */
export function within(findings: readonly Finding[], path: FieldPath): readonly Finding[] {
  return findings.filter((one) => path.every((step, index) => one.path[index] === step));
}

/** How many there are of each section, for its entry of the navigation. Pure. */
export function countBySection(
  findings: readonly Finding[],
): ReadonlyMap<SectionId, { errors: number; others: number }> {
  const counts = new Map<SectionId, { errors: number; others: number }>();
  for (const { path, severity } of findings) {
    const section = sectionOf(path);
    if (!section) continue;
    const count = counts.get(section) ?? { errors: 0, others: 0 };
    if (severity === 'error') count.errors += 1;
    else count.others += 1;
    counts.set(section, count);
  }
  return counts;
}
