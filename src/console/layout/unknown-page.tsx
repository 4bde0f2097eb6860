import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Page } from '../parts/page.tsx';

export default function UnknownPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('unknown.title')}>
      <Text c="dimmed">{t('unknown.text')}</Text>
      <Button component={Link} to="/" style={{ alignSelf: 'flex-start' }}>
        {t('pages.overview')}
      </Button>
    </Page>
  );
}
