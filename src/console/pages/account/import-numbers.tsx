import { Alert, Button, FileButton, Group, List, Text, Textarea } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChange } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Ltr } from '../../parts/text.tsx';

const CHARACTERS_MAX = 900_000; // as the gateway takes at once

/** A whole list of numbers, pasted or from a file. What was no number is said afterwards. */
export function ImportNumbers({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const add = useChange('importDoNotCall', ['listDoNotCall']);
  const [text, setText] = useState('');
  const isTooLong = text.length > CHARACTERS_MAX;
  const done = add.data;
  return (
    <FormDialog
      title={t('doNotCall.import')}
      verb={done ? common('close') : t('doNotCall.import')}
      size="lg"
      isBusy={add.isPending}
      error={add.error}
      isReady={done !== undefined || (text.trim() !== '' && !isTooLong)}
      onClose={onClose}
      onSubmit={() => (done ? onClose() : add.mutate({ body: { text } }))}
    >
      {done ? (
        <Outcome {...done} />
      ) : (
        <>
          <Textarea
            label={t('doNotCall.list')}
            description={t('doNotCall.listText')}
            placeholder={'+966500000001, asked not to be called\n+966500000002'}
            dir="ltr"
            rows={10}
            data-autofocus
            error={isTooLong && t('doNotCall.tooLong')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group>
            <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={(file) => void file?.text().then(setText)}>
              {(props) => (
                <Button {...props} variant="default" leftSection={<IconFile size={16} />}>
                  {t('doNotCall.file')}
                </Button>
              )}
            </FileButton>
          </Group>
        </>
      )}
    </FormDialog>
  );
}

interface OutcomeProps {
  readonly added: number;
  readonly known: number;
  readonly refused: number;
  readonly first_refused: readonly { readonly line: number; readonly text: string }[];
}

function Outcome({ added, known, refused, first_refused }: OutcomeProps) {
  const { t } = useTranslation('account');
  return (
    <div role="status">
      <Text size="sm">{t('doNotCall.imported', { count: added })}</Text>
      {known > 0 && <Text size="sm">{t('doNotCall.known', { count: known })}</Text>}
      {refused > 0 && (
        <Alert color="orange" mt="md" title={t('doNotCall.refused', { count: refused })}>
          <List size="sm">
            {first_refused.map(({ line, text }) => (
              <List.Item key={line}>
                {t('doNotCall.line', { line })} <Ltr mono>{text}</Ltr>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </div>
  );
}
