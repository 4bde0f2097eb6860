import type { SlotDefinition, ToolParameter } from '../../core/agent.ts';
import { dateValue, dayOf } from '../../language/calendar/calendar.ts';
import { choiceValue } from '../../language/values/choice.ts';
import { minutesOf } from '../../language/values/opening-hours.ts';
import { type SlotValue, same } from '../../language/values/slot.ts';
import { readSlotText } from '../../language/values/slot-filling.ts';
import { saidText } from '../../language/values/text.ts';
import { timeValue } from '../../language/values/time.ts';
import { type ValidationMoment, validate } from '../../language/values/validate.ts';
import { yesNoValue } from '../../language/values/yesno.ts';
import { wordsOf } from '../../language/words.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Of one text that a model gives. */
const VALUE_CHARS = 400;

/** How a value of each kind is written in JSON. */
const WRITTEN: Readonly<Record<ToolParameter['type'], Fields>> = {
  text: { type: 'string' },
  name: { type: 'string' },
  date: { type: 'string', description: 'a day as 2026-01-31' },
  time: { type: 'string', description: 'a time of day as 16:30' },
  number: { type: 'number' },
  digits: { type: 'string', description: 'digits only' },
  phone: { type: 'string', description: 'a telephone number' },
  yesno: { type: 'boolean' },
  choice: { type: 'string' },
};

/** The JSON Schema that a model is given of a tool's values. */
export function schemaOf(parameters: readonly ToolParameter[]): Fields {
  const properties = parameters.map((parameter): [string, Fields] => {
    const { name, type, means, choices } = parameter;
    const written = WRITTEN[type];
    const parts = [means, written['description'], lengthOf(parameter)].filter((part) => part !== undefined);
    const description = parts.join(', ');
    return [
      name,
      {
        ...written,
        ...(description !== '' && { description }),
        ...(type === 'choice' && choices && { enum: choices.map(({ value }) => value) }),
      },
    ];
  });
  const required = parameters.filter(({ optional }) => !optional).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

/** How many digits it has. */
function lengthOf({ minDigits, maxDigits }: ToolParameter): string | undefined {
  if (minDigits === undefined && maxDigits === undefined) return undefined;
  if (minDigits === maxDigits) return `exactly ${minDigits}`;
  const bounds = [minDigits && `at least ${minDigits}`, maxDigits && `at most ${maxDigits}`];
  return bounds.filter((bound) => bound !== undefined).join(' and ');
}

/** A parameter as the dialogue asks for it and reads it. */
export function slotOf({ optional: _, means: __, prompts = {}, ...slot }: ToolParameter): SlotDefinition {
  return { ...slot, prompts };
}

/**
 * What a model gave, value by value as it is written in the schema or as a caller says it: a stand-in that was filled in holds
 * what was said. Each is held to its kind and its constraints.
 *
 * @returns the values, or everything that is wrong with them, without repeating any.
 */
export function readParameters(
  parameters: readonly ToolParameter[],
  given: Fields,
  moment: ValidationMoment,
): { readonly slots: Readonly<Record<string, SlotValue>> } | { readonly why: string } {
  const known = parameters.map(({ name }) => name);
  const wrong = Object.keys(given).some((name) => !known.includes(name))
    ? [`it takes ${known.join(', ') || 'no values'} and nothing else`]
    : [];
  const slots: Record<string, SlotValue> = {};
  const inDayOrder = [...parameters].sort((a, b) => Number(b.type === 'date') - Number(a.type === 'date'));
  let day: ValidationMoment['day'];
  for (const parameter of inDayOrder) {
    const { name, optional } = parameter;
    const raw = given[name];
    if (raw === undefined || raw === null || raw === '') {
      if (!optional) wrong.push(`${name} is missing: ask the caller for it`);
      continue;
    }
    const slot = slotOf(parameter);
    const value = readValue(slot, raw, moment);
    const refused = value && validate(slot, value, { ...moment, ...(day && { day }) });
    if (!value) wrong.push(`${name} is no ${slot.type}`);
    else if (refused) wrong.push(`${name} cannot be that: ${refused.kind}`);
    else slots[name] = value;
    if (slot.type === 'date' && value && !refused) day = dayOf(value.value);
  }
  return wrong.length > 0 ? { why: wrong.join('; ') } : { slots };
}

function readValue(slot: SlotDefinition, raw: unknown, { today }: ValidationMoment): SlotValue | undefined {
  if (typeof raw === 'boolean') return slot.type === 'yesno' ? yesNoValue(slot, raw ? 'yes' : 'no') : undefined;
  if (typeof raw !== 'string' && !(typeof raw === 'number' && Number.isFinite(raw))) return undefined;
  const text = String(raw).trim();
  if (text === '' || text.length > VALUE_CHARS) return undefined;
  return asWritten(slot, text, today) ?? readSlotText(text, slot, today);
}

/** As the schema asks for it. */
function asWritten(slot: SlotDefinition, text: string, today: ValidationMoment['today']): SlotValue | undefined {
  switch (slot.type) {
    case 'text': {
      const said = saidText(wordsOf(text)); // as it is read out of a read-back again
      return said === '' ? undefined : { value: said, say: same(said) };
    }
    case 'date': {
      const day = dayOf(text);
      return day && dateValue(day, today);
    }
    case 'time': {
      const minutes = /^\d{1,2}:\d{2}$/.test(text) ? minutesOf(text.padStart(5, '0')) : undefined;
      return minutes === undefined || minutes >= 1_440 ? undefined : timeValue(Math.floor(minutes / 60), minutes % 60);
    }
    case 'number':
      return /^-?\d{1,15}(\.\d{1,6})?$/.test(text) ? { value: text, say: same(text) } : undefined;
    case 'choice': {
      const choice = slot.choices?.find(({ value }) => value === text);
      return choice && choiceValue(choice);
    }
    default:
      return undefined;
  }
}
