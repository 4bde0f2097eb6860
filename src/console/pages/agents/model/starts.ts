import { isTree, valueAt } from '../../../../config/agent-text/yaml-document.ts';
import { type Field, type ItemShape, SHAPES } from './fields.ts';

type Language = 'ar' | 'en';

/** What a new thing begins with, in the language of the agent; its name is one that nothing of the list has. Pure. */
export function newItem({ start }: ItemShape, language: Language, others: readonly unknown[]): unknown {
  const item = inLanguage(start, language) as Record<string, unknown>;
  for (const field of ['name', 'value']) {
    const wanted = item[field];
    if (typeof wanted === 'string')
      item[field] = freeName(
        wanted,
        others.map((one) => valueAt(one, [field])),
      );
  }
  return item;
}

/** `base`, or `base-2` and so on where that is taken. */
export function freeName(base: string, taken: readonly unknown[]): string {
  if (!taken.includes(base)) return base;
  for (let count = 2; ; count += 1) if (!taken.includes(`${base}-${count}`)) return `${base}-${count}`;
}

function inLanguage(value: unknown, language: Language): unknown {
  if (Array.isArray(value)) return value.map((one) => inLanguage(one, language));
  if (!isTree(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name === 'LANGUAGE' ? language : name, inLanguage(one, language)]),
  );
}

/** What the head of an item says: the first of its texts that is there. Pure. */
export function headOf({ heads }: ItemShape, item: unknown, language: Language): string {
  const other = language === 'ar' ? 'en' : 'ar';
  for (const head of heads) {
    for (const one of [language, other]) {
      const found = valueAt(
        item,
        head.map((step) => (step === 'LANGUAGE' ? one : step)),
      );
      if (typeof found === 'string' && found !== '') return found;
    }
  }
  return '';
}

/** What an action of a type cannot be without, and what it begins with. */
const SAID = { LANGUAGE: '' };
const NEEDED: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
  say: [['text', SAID]],
  http: [
    ...([
      ['method', 'GET'],
      ['url', 'https://'],
    ] as const),
    ...([
      ['then', SAID],
      ['otherwise', SAID],
    ] as const),
  ],
  lookup: [
    ...([
      ['table', ''],
      ['key', ''],
    ] as const),
    ...([
      ['then', SAID],
      ['otherwise', SAID],
    ] as const),
  ],
};

/** An action as one of another type: what both have stays. Pure. */
export function asType(action: unknown, type: string, language: Language): Readonly<Record<string, unknown>> {
  const fields = SHAPES.action.fields
    .filter((field: Field) => field.when?.is.includes(type))
    .map(({ path }) => path[0]!);
  const old = isTree(action) ? action : {};
  const kept = Object.fromEntries(fields.filter((name) => name in old).map((name) => [name, old[name]]));
  return { type, ...(inLanguage(Object.fromEntries(NEEDED[type] ?? []), language) as object), ...kept };
}

/** Whether a field is shown beside what else its thing has. Pure. */
export function isShown({ when }: Field, thing: unknown): boolean {
  return when === undefined || when.is.includes(String(valueAt(thing, [when.field])));
}

/** What is read out in the place of `{{name}}`. Pure. */
export function filledIn(text: string, variables: unknown): string {
  return text
    .replace(/\{\{\s*([A-Za-z_]\w*)\s*\}\}/g, (_all, name: string) => {
      const value = valueAt(variables, [name]);
      return typeof value === 'string' ? value : '';
    })
    .replace(/\s+([,.!?،؟])/g, '$1')
    .replace(/\s{2,}/g, ' ')
    .trim();
}
