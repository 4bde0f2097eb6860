import { Fieldset, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Ltr } from '../../../parts/text.tsx';

interface Props {
  /** Names that the agent has, with what it says without another value. */
  readonly known: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

/** Values for one call; those of the agent stand in the empty fields. */
export function VariableFields({ known, values, onChange }: Props) {
  const { t } = useTranslation('talk');
  const names = Object.keys(known);
  if (names.length === 0) return null;
  return (
    <Fieldset legend={t('variables')}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('variablesNote')}
        </Text>
        {names.map((name) => (
          <TextInput
            key={name}
            label={<Ltr mono>{name}</Ltr>}
            dir="auto"
            maxLength={1_000}
            placeholder={known[name]}
            value={values[name] ?? ''}
            onChange={({ currentTarget }) => onChange({ ...values, [name]: currentTarget.value })}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}
