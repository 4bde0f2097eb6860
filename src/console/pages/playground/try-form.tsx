import { Button, Group, Stack, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface FormProps {
  /** What its button does. */
  readonly verb: string;
  readonly icon?: ReactNode;
  readonly isBusy: boolean;
  readonly isReady?: boolean;
  readonly onRun: () => void;
  readonly children: ReactNode;
}

/** The fields of a request, sent by their button or the return key. */
export function TryForm({ verb, icon, isBusy, isReady = true, onRun, children }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onRun();
      }}
    >
      <Stack gap="md">
        {children}
        <Group>
          <Button type="submit" loading={isBusy} disabled={!isReady} leftSection={icon}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface TextProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly maxLength?: number;
}

/** The text that is worked on. */
export function TextToTry({ value, onChange, maxLength }: TextProps) {
  const { t } = useTranslation('playground');
  return (
    <Textarea
      label={t('text')}
      dir="auto"
      autosize
      minRows={4}
      maxRows={12}
      maxLength={maxLength}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
