import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ErrorText } from '../../../parts/states.tsx';
import type { Saving } from './use-saving.ts';

/** Why a draft was not saved or published; where its tests fail, the way to them. */
export function SaveFailed({ saving: { agent, error, forget } }: { saving: Saving }) {
  const { t } = useTranslation('agents');
  if (!error) return null;
  const isTests = error.code === 'tests_failed';
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title={t(isTests ? 'failed.tests' : 'failed.title')}
      withCloseButton
      closeButtonLabel={t('failed.close')}
      onClose={forget}
    >
      <ErrorText error={error} />
      {isTests && (
        <Group mt="sm">
          <Button component={Link} to={`/tests/${agent.id}`} size="xs" variant="light" color="red">
            {t('failed.toTests')}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
