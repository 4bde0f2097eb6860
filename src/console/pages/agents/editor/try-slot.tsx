import { Button } from '@mantine/core';
import { IconMicrophone } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './editor.module.css';

const TryDrawer = lazy(async () => ({ default: (await import('../try/try-drawer.tsx')).TryDrawer }));

/** Talking to the draft as it is written, before anybody else does. */
export function TryIt({ agentId, definition }: { agentId: string; definition: object }) {
  const { t } = useTranslation('agents');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="light"
        leftSection={<IconMicrophone size={16} />}
        onClick={() => setOpen(true)}
        aria-label={t('try')}
        classNames={{ section: classes['icon'], label: classes['word'] }}
      >
        {t('try')}
      </Button>
      <Suspense fallback={null}>
        {isOpen && <TryDrawer {...{ agentId, definition, isOpen }} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
