import type { Language, SlotDefinition } from '../../core/agent.ts';
import type { CalendarDay } from '../../language/calendar/calendar.ts';
import { addDays, dateValue, isBefore, isRealDay } from '../../language/calendar/calendar.ts';
import { fold } from '../../language/fold.ts';
import { choiceValue } from '../../language/values/choice.ts';
import { digitsValue } from '../../language/values/digits.ts';
import { nationalNumber } from '../../language/values/phone.ts';
import { type SlotValue, same } from '../../language/values/slot.ts';
import { SLOT_WORDS } from '../../language/values/slot-words.ts';
import { timeValue } from '../../language/values/time.ts';
import { yesNoValue } from '../../language/values/yesno.ts';
import { type CompiledAgent, labelOf } from './compiled-agent.ts';
import { KEY_WORDS, LANGUAGE_LABELS, STOCK } from './stock-phrases.ts';
import { fillTemplate } from './template.ts';
import type { TurnDraft } from './turn-draft.ts';

/** Days offered by a date menu: keys 1 to 7. */
const MENU_DAYS = 7;
const MAX_CHOICES = 8;
/** Choices said in one breath: more are not kept in mind, and whoever waits longer than that hangs up. */
const CHOICES_AT_ONCE = 5;
const MENU_MS_MAX = 12_000;
/** How fast a menu is read, by the voices of the catalogue: written Arabic leaves out its vowels. */
const CHARACTERS_PER_SECOND: Readonly<Record<Language, number>> = { en: 15, ar: 9.5 };
/** What is compared of a menu to know it again. */
const KNOWN_BY = 30;

/** What pressed keys mean to the pending question. */
export type KeyMeaning =
  | { readonly kind: 'human' }
  | { readonly kind: 'repeat' }
  | { readonly kind: 'yes' }
  | { readonly kind: 'no' }
  | { readonly kind: 'value'; readonly value: SlotValue }
  | { readonly kind: 'option'; readonly index: number } // of the menu, of `choose`, of the slots to change
  | { readonly kind: 'wrong' };

/** Whether a caller's turn is keys rather than words. */
export function isKeys(text: string): boolean {
  return /^[0-9*#]{1,40}$/.test(text.trim());
}

/** Reads keys by what is pending: menu entry, yes/no, digits of a slot; 0 a person, 9 or * again where they are free. */
export function readKeys(draft: TurnDraft, pressed: string): KeyMeaning {
  const keys = pressed.trim().replace(/#+$/, '');
  if (keys === '' || keys === '*') return { kind: 'repeat' };
  const { pending } = draft.state;
  const slot = pending.kind === 'slot' ? draft.slot : undefined;
  if (keys === '0' && !(slot && acceptsSingle(slot))) return { kind: 'human' };
  if (slot) {
    const value = slotByKeys(slot, keys, draft.setting.today);
    if (value) return { kind: 'value', value };
    return keys === '9' ? { kind: 'repeat' } : { kind: 'wrong' };
  }
  if (keys === '9') return { kind: 'repeat' };
  if (pending.kind === 'confirm-slot' || pending.kind === 'confirm-flow') {
    return keys === '1' ? { kind: 'yes' } : keys === '2' ? { kind: 'no' } : { kind: 'wrong' };
  }
  return /^[1-8]$/.test(keys) ? { kind: 'option', index: Number(keys) - 1 } : { kind: 'wrong' };
}

function acceptsSingle(slot: SlotDefinition): boolean {
  return slot.type === 'number' || (slot.type === 'digits' && (slot.minDigits ?? 1) <= 1);
}

function slotByKeys(slot: SlotDefinition, keys: string, today: CalendarDay): SlotValue | undefined {
  const digits = keys.replace(/\D/g, '');
  if (digits === '') return undefined;
  switch (slot.type) {
    case 'digits':
      return digits.length >= (slot.minDigits ?? 1) && digits.length <= (slot.maxDigits ?? 20)
        ? digitsValue(digits)
        : undefined;
    case 'phone': {
      const number = nationalNumber(digits, slot.country);
      return number === undefined ? undefined : digitsValue(number);
    }
    case 'number':
      return digits.length <= (slot.maxDigits ?? 9)
        ? { value: String(Number(digits)), say: same(String(Number(digits))) }
        : undefined;
    case 'yesno':
      return digits === '1' ? yesNoValue(slot, 'yes') : digits === '2' ? yesNoValue(slot, 'no') : undefined;
    case 'choice': {
      const choice = slot.choices?.[Number(digits) - 1];
      return choice && choiceValue(choice);
    }
    case 'date':
      return dateByKeys(digits, today);
    case 'time':
      return timeByKeys(digits);
    default:
      return digits.length > 1 ? { value: digits, say: same(digits) } : undefined;
  }
}

/** One key: a day of the menu (1 is today). Four: day and month. */
function dateByKeys(digits: string, today: CalendarDay): SlotValue | undefined {
  if (/^[1-7]$/.test(digits)) return dateValue(addDays(today, Number(digits) - 1), today);
  if (digits.length !== 4) return undefined;
  const day = { year: today.year, month: Number(digits.slice(2)), day: Number(digits.slice(0, 2)) };
  if (!isRealDay(day)) return undefined;
  return dateValue(isBefore(day, today) ? { ...day, year: day.year + 1 } : day, today);
}

/** One or two keys: the hour (1 to 7 in the afternoon). Three or four: hour and minutes. */
function timeByKeys(digits: string): SlotValue | undefined {
  if (digits.length > 4) return undefined;
  const hour = Number(digits.length <= 2 ? digits : digits.slice(0, -2));
  const minute = digits.length <= 2 ? 0 : Number(digits.slice(-2));
  if (hour > 23 || minute > 59) return undefined;
  const written = digits.length === 4 && digits.startsWith('0');
  return timeValue(hour >= 1 && hour <= 7 && !written ? hour + 12 : hour, minute);
}

/** `For booking an appointment, press 1. …`: some of the agent's intents by key, a person and the rest, or again, at the end. */
export function menuText(agent: CompiledAgent, language: Language, page = 0): string {
  return menuPages(agent, language)[page] ?? '';
}

/** The menu, or what follows the part of it that was said last. */
export function nextMenu(agent: CompiledAgent, language: Language, lastText: string): string {
  const said = fold(lastText);
  const pages = menuPages(agent, language);
  const last = pages.findIndex((page) => said.includes(fold(page).slice(0, KNOWN_BY)));
  return pages[last + 1] ?? pages[0]!;
}

/** What the key after the menu's chooses, where it has one: the other language of an agent that has both. */
export function otherLanguageOf({ agent, language }: Pick<TurnDraft, 'agent' | 'language'>): Language | undefined {
  if (agent.menu.length >= MAX_CHOICES) return undefined;
  return agent.languages.find((one) => one !== language);
}

/** Parts of the menu that are short enough to be said at once; at least one. */
function menuPages(agent: CompiledAgent, language: Language): string[] {
  const [more, tail] = [STOCK.menuMore[language][0], STOCK.menuTail[language][0]];
  const pages: string[][] = [[]];
  const other = otherLanguageOf({ agent, language });
  const labels = [
    ...agent.menu.map((intent) => labelOf({ kind: 'intent', intent }, language)),
    ...(other ? [LANGUAGE_LABELS[other][language]] : []),
  ];
  for (const [i, label] of labels.entries()) {
    const entry = pressFor(purpose(label, language), i + 1, language);
    const page = pages.at(-1)!;
    const end = i === labels.length - 1 ? tail : more;
    const fits = page.length < CHOICES_AT_ONCE && spokenMs([...page, entry, end].join(' '), language) <= MENU_MS_MAX;
    if (fits || page.length === 0) page.push(entry);
    else pages.push([entry]);
  }
  return pages.map((page, i) => [...page, i < pages.length - 1 ? more : tail].join(' '));
}

const spokenMs = (text: string, language: Language): number => (text.length / CHARACTERS_PER_SECOND[language]) * 1000;

/** Whether `text` tells the caller to use the keys. */
export function offersKeys(agent: CompiledAgent, text: string): boolean {
  const said = fold(text);
  return (
    agent.menu.length > 0 &&
    agent.languages.some(
      (language) =>
        said.includes(fold(menuText(agent, language)).slice(0, KNOWN_BY)) ||
        said.includes(fold(STOCK.menuAgain[language][0])),
    )
  );
}

/** `حجز موعد` -> `لحجز موعد`, `الأسعار` -> `للأسعار`. */
function purpose(label: string, language: Language): string {
  if (language === 'en' || !/^[\u0600-\u06ff]/.test(label)) return label;
  return label.startsWith('ال') ? `لل${label.slice(2)}` : `ل${label}`;
}

function pressFor(label: string, key: number, language: Language): string {
  return fillTemplate(STOCK.pressFor[language][0], (name) => (name === 'label' ? label : KEY_WORDS[language][key]));
}

/** Adds to a question how it is answered on the keys. */
export function keypadHelp(draft: TurnDraft): void {
  const { state, language } = draft;
  const say = (text: string): void => draft.ask({ [language]: text });
  const list = (labels: readonly string[]): void => {
    say(
      labels
        .slice(0, MAX_CHOICES)
        .map((label, i) => pressFor(label, i + 1, language))
        .join(' '),
    );
  };
  const { pending } = state;
  if (pending.kind === 'confirm-flow' || pending.kind === 'confirm-slot') return draft.stock('pressYesNo');
  if (pending.kind === 'choose') {
    const meanings = pending.options.map((id) => draft.agent.meaning(id)).filter((one) => one !== undefined);
    return list(meanings.map((one) => purpose(labelOf(one, language), language)));
  }
  if (pending.kind === 'change') {
    const slots = draft.agent.flows.get(state.flow ?? '')?.slots ?? [];
    return list(slots.map((slot) => purpose(SLOT_WORDS[slot.type]?.say[language] ?? slot.name, language)));
  }
  const slot = draft.slot;
  if (!slot) return;
  if (slot.type === 'yesno') draft.stock('pressYesNo');
  else if (slot.type === 'choice')
    list((slot.choices ?? []).map((choice) => purpose(choiceValue(choice).say[language], language)));
  else if (slot.type === 'date') {
    const days = Array.from({ length: MENU_DAYS }, (_, i) =>
      dateValue(addDays(draft.setting.today, i), draft.setting.today),
    );
    list(days.map((day, i) => purpose(dayLabel(day, i, language), language)));
  } else if (slot.type === 'time') draft.stock('keyTime');
  else if (slot.type === 'digits' && slot.minDigits !== undefined && slot.minDigits === slot.maxDigits)
    draft.stock('keyExactly');
  else if (slot.type === 'digits' || slot.type === 'phone' || slot.type === 'number') draft.stock('keyDigits');
}

function dayLabel(day: SlotValue, ahead: number, language: Language): string {
  if (ahead === 0) return language === 'ar' ? 'اليوم' : 'today';
  if (ahead === 1) return language === 'ar' ? 'بكرة' : 'tomorrow';
  return day.say[language];
}
