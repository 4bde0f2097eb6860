import { useTranslation } from 'react-i18next';
import { type Field, keyOf } from '../model/fields.ts';

/** Texts of the fields of the form, whose keys are made of the data; a test holds that each is there. */
export function useWords() {
  const { t, i18n } = useTranslation('agents');
  // Hints name values as texts do, in braces.
  const say = (key: string): string => t(key as 'title', { name: '{{name}}' });
  const maybe = (key: string): string | undefined => (i18n.exists(`agents:${key}`) ? say(key) : undefined);
  return {
    label: ({ id }: Pick<Field, 'id'>): string => say(`fields.${keyOf(id)}.label`),
    hint: ({ id }: Pick<Field, 'id'>): string | undefined => maybe(`fields.${keyOf(id)}.hint`),
    value: ({ id }: Pick<Field, 'id'>, value: string): string => maybe(`values.${keyOf(id)}.${value}`) ?? value,
  };
}
