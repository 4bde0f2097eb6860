/** What calls come to by themselves, as the gateway names it; an agent may have names of its own. */
export const RESULTS = [
  ...(['done', 'answered', 'transferred', 'unreached', 'given-up', 'hung-up'] as const),
  ...(['not-understood', 'nothing-said', 'machine', 'failed'] as const),
] as const;
export type Result = (typeof RESULTS)[number];

export type Labels = { readonly ar?: string; readonly en?: string } | null | undefined;

/** What an author calls something, in the language of the reader where that is there. */
export const labelIn = (labels: Labels, language: string): string | undefined =>
  (language.startsWith('ar') ? (labels?.ar ?? labels?.en) : (labels?.en ?? labels?.ar)) || undefined;

export type OutcomeGrade = 'good' | 'quiet' | 'slow' | 'bad';
const GRADES: Readonly<Record<Result, OutcomeGrade>> = {
  ...({ done: 'good', answered: 'good', transferred: 'quiet', 'nothing-said': 'quiet', machine: 'quiet' } as const),
  ...({ unreached: 'slow', 'given-up': 'slow', 'hung-up': 'slow', 'not-understood': 'bad', failed: 'bad' } as const),
};

/** How good it is; an author's own name for it says nothing about that. */
export const outcomeGrade = (outcome: string): OutcomeGrade => GRADES[outcome as Result] ?? 'quiet';
