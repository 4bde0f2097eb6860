import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useAsk, useAskTagged } from '../../api/hooks.ts';
import { Page } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { Bench } from './bench.tsx';

/** The dialogues that an agent must hold: written, run, and looked at. */
export default function AgentTestsPage() {
  const { t } = useTranslation('tests');
  const { id = '' } = useParams();
  const agent = useAsk('getAgent', { params: { id } });
  const tests = useAskTagged('getAgentTests', { params: { id } });
  if (agent.data && tests.data) return <Bench key={id} agent={agent.data} loaded={tests.data} />;
  return (
    <Page title={t('title')}>
      <Shown of={agent}>{() => <Shown of={tests}>{() => null}</Shown>}</Shown>
    </Page>
  );
}
