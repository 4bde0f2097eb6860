import { gradeOf } from '../call/answer-times.ts';
import { mosGrade } from '../call/quality.ts';

/** What of an overview is judged. */
export interface Judged {
  readonly at: string;
  readonly calls: {
    readonly days: readonly { readonly judged_turns: number }[];
  };
  readonly understood_percent: number | null;
  readonly last_day: {
    readonly answers: { readonly count: number; readonly p50_ms: number | null };
    readonly mos: { readonly calls: number; readonly median: number | null };
  };
  readonly money: { readonly balance_cents: number; readonly available_cents: number };
  readonly trunks: readonly { readonly name: string; readonly state: string }[];
  readonly problems: readonly { readonly at: string; readonly kind: string }[];
}

export type Concern =
  | { readonly kind: 'trunk-down'; readonly grade: 'bad'; readonly name: string }
  | { readonly kind: 'no-credit'; readonly grade: 'bad' }
  | { readonly kind: 'low-credit'; readonly grade: 'slow'; readonly cents: number }
  | { readonly kind: 'failed-calls'; readonly grade: 'bad'; readonly count: number }
  | { readonly kind: 'slow-answers'; readonly grade: 'slow' | 'bad'; readonly ms: number }
  | { readonly kind: 'poor-sound'; readonly grade: 'slow' | 'bad'; readonly mos: number }
  | { readonly kind: 'not-understood'; readonly grade: 'slow'; readonly percent: number };

/** Calls that broke off are a concern for so long. */
const FAILED_MS = 60 * 60_000;
/** Fewer say nothing about the rest. */
const ENOUGH = { answers: 5, judgedTurns: 20, heardCalls: 3 } as const;
export const UNDERSTOOD_PERCENT = { good: 85, slow: 70 } as const;

/**
 * What somebody should look at now, the worst first. Calls that were refused are none of it: a gateway that the internet
 * reaches is tried all day long.
 *
 * @param alertCents - a balance below it is to be told; null: none is.
 */
export function concernsOf(seen: Judged, alertCents: number | null): readonly Concern[] {
  const { money, last_day: day, understood_percent: understood } = seen;
  const found: Concern[] = [];
  for (const { name, state } of seen.trunks) {
    if (state === 'down') found.push({ kind: 'trunk-down', grade: 'bad', name });
  }
  if (money.available_cents <= 0) found.push({ kind: 'no-credit', grade: 'bad' });
  else if (money.balance_cents < (alertCents ?? 0)) {
    found.push({ kind: 'low-credit', grade: 'slow', cents: money.available_cents });
  }
  const since = Date.parse(seen.at) - FAILED_MS;
  const failed = seen.problems.filter(({ kind, at }) => kind === 'failed' && Date.parse(at) >= since).length;
  if (failed > 0) found.push({ kind: 'failed-calls', grade: 'bad', count: failed });
  const { answers, sound, understood: hearing } = gradesOf(seen);
  if (answers === 'slow' || answers === 'bad') {
    found.push({ kind: 'slow-answers', grade: answers, ms: day.answers.p50_ms! });
  }
  if (sound === 'slow' || sound === 'bad') found.push({ kind: 'poor-sound', grade: sound, mos: day.mos.median! });
  if (hearing === 'bad') {
    found.push({ kind: 'not-understood', grade: 'slow', percent: understood! });
  }
  return found.sort((a, b) => Number(b.grade === 'bad') - Number(a.grade === 'bad'));
}

type Graded = 'good' | 'slow' | 'bad' | 'few' | undefined;

/** What is to be thought of each figure: `few` where too few calls speak for it, undefined where none does. */
export function gradesOf(seen: Pick<Judged, 'calls' | 'understood_percent' | 'last_day'>): {
  readonly answers: Graded;
  readonly understood: Graded;
  readonly sound: Graded;
} {
  const { answers, mos } = seen.last_day;
  const judged = seen.calls.days.reduce((sum, { judged_turns }) => sum + judged_turns, 0);
  return {
    answers: graded(answers.p50_ms, answers.count >= ENOUGH.answers, gradeOf),
    understood: graded(seen.understood_percent, judged >= ENOUGH.judgedTurns, understoodGrade),
    sound: graded(mos.median, mos.calls >= ENOUGH.heardCalls, mosGrade),
  };
}

const graded = (value: number | null, isEnough: boolean, grade: (value: number) => 'good' | 'slow' | 'bad'): Graded =>
  value === null ? undefined : isEnough ? grade(value) : 'few';

const understoodGrade = (percent: number): 'good' | 'slow' | 'bad' =>
  percent >= UNDERSTOOD_PERCENT.good ? 'good' : percent >= UNDERSTOOD_PERCENT.slow ? 'slow' : 'bad';
