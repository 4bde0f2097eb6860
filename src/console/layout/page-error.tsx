import { Button, Code, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';

/** A page that broke: the rest of the console goes on. */
export function PageError() {
  const { t } = useTranslation();
  const error = useRouteError();
  return (
    <Stack align="flex-start" p="lg" role="alert">
      <Title order={1}>{t('broken.title')}</Title>
      <Text c="dimmed">{t('broken.text')}</Text>
      <Code block dir="ltr">
        {error instanceof Error ? error.message : String(error)}
      </Code>
      <Button onClick={() => location.reload()}>{t('again')}</Button>
    </Stack>
  );
}
