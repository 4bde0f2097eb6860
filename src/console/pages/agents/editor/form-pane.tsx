import { Alert, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Noticed } from '../../../parts/noticed.tsx';
import { DocumentsPanel } from '../documents/documents-panel.tsx';
import { Fields } from '../form/fields.tsx';
import { InnerContext } from '../form/inner.tsx';
import { SECTIONS, type SectionId } from '../model/fields.ts';
import { useDraft, useEditing } from './draft-context.ts';

/** One section of the form. */
export function FormPane({ section }: { section: SectionId }) {
  const { t } = useTranslation('agents');
  const { store, agentId, canEdit } = useEditing();
  const problem = useDraft(store, ({ parsed }) => parsed.problems[0]);
  const { fields } = SECTIONS.find(({ id }) => id === section)!;
  return (
    <Stack gap="lg">
      <div>
        <Title order={2}>{t(`sections.${section}`)}</Title>
        <Text size="sm" c="dimmed">
          {t(`about.${section}`)}
        </Text>
      </div>
      {problem && (
        <Alert color="red" icon={<IconAlertCircle size={18} />} title={t('unreadable.title', { line: problem.line })}>
          <Text size="sm">{t('unreadable.text')}</Text>
          <Text size="sm" c="dimmed" dir="auto">
            <Noticed notice={problem.notice} english={problem.message} />
          </Text>
        </Alert>
      )}
      {section === 'documents' ? (
        <DocumentsPanel agentId={agentId} canEdit={canEdit} />
      ) : (
        <InnerContext value={Fields}>
          <Fields key={section} fields={fields} at={[]} />
        </InnerContext>
      )}
    </Stack>
  );
}
