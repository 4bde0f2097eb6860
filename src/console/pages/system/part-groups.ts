import type { SaidNotice } from '../../i18n/notice-pieces.ts';

/** Parts of a gateway as `readiness` names them, by what they are for. */
export const PART_GROUPS = {
  base: [
    'service',
    'node',
    'database',
    'billing',
    'sip',
    'media',
    'edge',
    'recording',
    'jobs',
    'metrics',
    'descriptors',
  ],
  engines: ['synthesis', 'reply', 'transcription_en', 'transcription_ar', 'transcription_load'],
} as const;
export type PartGroup = keyof typeof PART_GROUPS;
export type PartName = (typeof PART_GROUPS)[PartGroup][number];

export interface PartState {
  readonly state: 'ok' | 'degraded' | 'down';
  readonly detail: string | null;
  readonly detail_notice: SaidNotice | null;
}

const NAMES: ReadonlySet<string> = new Set(Object.values(PART_GROUPS).flat());
export const isPartName = (name: string): name is PartName => NAMES.has(name);

/** Each group with its parts, those in trouble first; what a later gateway has besides stands with the base. */
export function groupParts(
  parts: Readonly<Record<string, PartState>>,
): readonly { readonly group: PartGroup; readonly parts: readonly (PartState & { readonly name: string })[] }[] {
  const rank = { down: 0, degraded: 1, ok: 2 } as const;
  const unknown = Object.keys(parts).filter((name) => !NAMES.has(name));
  return (Object.keys(PART_GROUPS) as PartGroup[]).map((group) => ({
    group,
    parts: [...PART_GROUPS[group], ...(group === 'base' ? unknown : [])]
      .flatMap((name) => (parts[name] ? [{ name, ...parts[name] }] : []))
      .sort((a, b) => rank[a.state] - rank[b.state]),
  }));
}
