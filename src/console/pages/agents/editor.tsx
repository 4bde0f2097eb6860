import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useAskTagged } from '../../api/hooks.ts';
import { Shown } from '../../parts/states.tsx';
import { Workbench } from './editor/workbench.tsx';

export default function EditorPage() {
  const { t } = useTranslation('agents');
  const { id = '' } = useParams();
  const asked = useAskTagged('getAgent', { params: { id } });
  const title = asked.data?.value.name ?? t('title');
  useEffect(() => {
    document.title = `${title} · Nidaa`;
  }, [title]);
  return (
    <Shown of={asked} height={400}>
      {(loaded) => <Workbench key={id} loaded={loaded} />}
    </Shown>
  );
}
