import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { Accounts } from './accounts.tsx';
import { Engines } from './engines.tsx';
import { Errors } from './errors.tsx';
import { Gateway } from './gateway.tsx';
import { Queues } from './queues.tsx';

/** The machine and whoever is on it: for operators. */
export default function SystemPage() {
  const { t } = useTranslation('system');
  const tabs = [
    { id: 'gateway', name: t('tabs.gateway'), content: () => <Gateway /> },
    { id: 'engines', name: t('tabs.engines'), content: () => <Engines /> },
    { id: 'queues', name: t('tabs.queues'), content: () => <Queues /> },
    { id: 'errors', name: t('tabs.errors'), content: () => <Errors /> },
    { id: 'accounts', name: t('tabs.accounts'), content: () => <Accounts /> },
  ];
  return (
    <Page title={t('title')}>
      <PageTabs label={t('title')} tabs={tabs} />
    </Page>
  );
}
