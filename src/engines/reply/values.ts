import type { SlotDefinition } from '../../core/agent.ts';
import { dayOf } from '../../language/calendar/calendar.ts';
import { fold } from '../../language/fold.ts';
import { similarity } from '../../language/similarity.ts';
import { type Refusal, refusalText } from '../../language/values/refusal.ts';
import { type SlotValue, same } from '../../language/values/slot.ts';
import { validate } from '../../language/values/validate.ts';
import type { TurnDraft } from './turn-draft.ts';

export type Values = Readonly<Record<string, SlotValue>>;

/** Those of the values that are not held already. */
export function newIn(values: Values, held: Values): Values {
  const isNew = ([name, { value }]: [string, SlotValue]): boolean =>
    !isHeld(held[name]?.value, value) && !isEndOfHeld(value, held);
  return Object.fromEntries(Object.entries(values).filter(isNew));
}

/** `yes, it ends in two one two one`, of a telephone that was read back: an end of a longer number, and no number of its own. */
function isEndOfHeld(value: string, held: Values): boolean {
  return (
    IDENTIFIER.test(value) && Object.values(held).some((one) => isLonger(one.value, value) && one.value.endsWith(value))
  );
}
const IDENTIFIER = /^\d{3,}$/;
const isLonger = (whole: string, part: string): boolean => IDENTIFIER.test(whole) && whole.length > part.length;

/** The same, or one word of the name that is held. */
function isHeld(held: string | undefined, value: string): boolean {
  return (
    held === value || (/^\p{L}+$/u.test(value) && (held?.split(' ') ?? []).some((word) => fold(word) === fold(value)))
  );
}

/** A number that identifies something: an order, a telephone. */
export function identifies({ type }: Pick<SlotDefinition, 'type'>): boolean {
  return type === 'digits' || type === 'phone';
}

/** A value alone has no day: whether its hour is over is judged beside the others, by `dropPastHours`. */
export const NO_MINUTE = 0;

/** The values that keep to their slots' rules; why the others do not is said. */
export function admitted(draft: TurnDraft, slots: readonly SlotDefinition[], values: Values): Values {
  const { today } = draft.setting;
  const entries = Object.entries(values).filter(([name, value]) => {
    const slot = slots.find((one) => one.name === name);
    const refusal = slot && validate(slot, value, { today, minuteOfDay: NO_MINUTE });
    if (slot && refusal) refuse(draft, slot, refusal);
    return refusal === undefined;
  });
  return Object.fromEntries(entries);
}

/** Says why something cannot be the value of a slot. */
export function refuse(draft: TurnDraft, slot: SlotDefinition, refusal: Refusal): void {
  const { language } = draft;
  draft.lines.push({ text: refusalText(refusal, slot, language), language });
  draft.refused.push(slot.name);
}

/** Takes new values into the current flow; what was agreed about a changed slot is asked again. */
export function putSlots(draft: TurnDraft, given: Values): void {
  const { state } = draft;
  const slots = draft.flow?.slots ?? [];
  const values = withMendedNames(admitted(draft, slots, given), slots, state.slots);
  draft.set({
    slots: { ...state.slots, ...values },
    confirmed: state.confirmed.filter(
      (name) => values[name] === undefined || values[name].value === state.slots[name]?.value,
    ),
    noMatch: 0,
  });
  dropPastHours(draft);
}

/** Names of one word mend the names that are held. */
function withMendedNames(values: Values, slots: readonly SlotDefinition[], held: Values): Values {
  const names = slots.filter(({ name, type }) => type === 'name' && values[name] && held[name]);
  const mended = names.map(({ name }) => {
    const value = mendedName(held[name]!.value, values[name]!.value);
    return [name, { value, say: same(value) }] as const;
  });
  return { ...values, ...Object.fromEntries(mended) };
}

/** From which likeness on a name is one that was heard otherwise. */
const ALIKE = 0.5;

/** A single name that is said in the place of a whole one mends the part that it is like: `Donna` of `Dana Smith`. */
function mendedName(held: string, heard: string): string {
  const parts = held.split(' ');
  if (parts.length < 2 || heard.includes(' ')) return heard;
  const likeness = parts.map((part) => similarity(fold(part), fold(heard)));
  const best = Math.max(...likeness);
  return best >= ALIKE ? parts.with(likeness.indexOf(best), heard).join(' ') : heard;
}

/** Takes an hour or part of the day back that is over on the day it is for, and says so. */
export function dropPastHours(draft: TurnDraft): void {
  const { today, minuteOfDay } = draft.setting;
  const slots = draft.flow?.slots ?? [];
  const dates = slots.filter(({ type, constraints }) => type === 'date' && constraints !== undefined);
  const day = dates.length === 1 ? dayOf(draft.state.slots[dates[0]!.name]?.value ?? '') : undefined;
  if (day === undefined || minuteOfDay === undefined) return;
  for (const slot of slots) {
    const value = slot.type === 'date' ? undefined : draft.state.slots[slot.name];
    const refusal = value && validate(slot, value, { today, minuteOfDay, day });
    if (refusal?.kind !== 'past') continue;
    clearSlot(draft, slot.name);
    refuse(draft, slot, refusal);
  }
}

export function clearSlot(draft: TurnDraft, name: string): void {
  const { [name]: _, ...slots } = draft.state.slots;
  draft.set({ slots, confirmed: draft.state.confirmed.filter((one) => one !== name) });
}
