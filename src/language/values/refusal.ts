import type { Language, SlotDefinition } from '../../core/agent.ts';
import { REFUSAL_PHRASES } from './refusal-phrases.ts';
import type { SlotValue } from './slot.ts';

export type RefusalKind = keyof typeof REFUSAL_PHRASES;

/** Why a value cannot be taken; plain data. */
export interface Refusal {
  readonly kind: RefusalKind;
  /** What the sentence about it names, by placeholder. */
  readonly say: Readonly<Record<string, SlotValue['say']>>;
  /** `which-half`: the two times of which one was meant, the earlier first. */
  readonly options?: readonly [SlotValue, SlotValue];
}

/** Refusals by a rule of the author's, for which the author's own words stand. */
const BY_RULE: ReadonlySet<RefusalKind> = new Set<RefusalKind>([
  'closed-weekday',
  'closed-day',
  'too-early',
  'too-late',
  'closed-hour',
  'before-opening',
  'after-closing',
]);

/** One kind sentence that says why: the author's `why` where a rule of the agent refused, else the rule itself. */
export function refusalText(refusal: Refusal, definition: SlotDefinition, language: Language): string {
  const own = BY_RULE.has(refusal.kind) ? definition.constraints?.why?.[language] : undefined;
  if (own !== undefined) return own;
  return REFUSAL_PHRASES[refusal.kind][language].replace(
    /\{\{(\w+)\}\}/g,
    (_, name: string) => refusal.say[name]?.[language] ?? '',
  );
}
