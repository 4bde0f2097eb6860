import { Button } from '@mantine/core';
import { IconMicrophone } from '@tabler/icons-react';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface TryProps {
  readonly agentId: string;
  readonly definition: unknown;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}
const [load] = Object.values(import.meta.glob<{ TryDrawer: ComponentType<TryProps> }>('../try/try-drawer.tsx'));
const TryDrawer = load && lazy(async () => ({ default: (await load()).TryDrawer }));

/** Talking to the draft as it is written, before anybody else does. */
export function TryIt({ agentId, definition }: Pick<TryProps, 'agentId' | 'definition'>) {
  const { t } = useTranslation('agents');
  const [isOpen, setOpen] = useState(false);
  if (!TryDrawer) return null;
  return (
    <>
      <Button variant="light" leftSection={<IconMicrophone size={16} />} onClick={() => setOpen(true)}>
        {t('try')}
      </Button>
      <Suspense fallback={null}>
        {isOpen && <TryDrawer {...{ agentId, definition, isOpen }} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
