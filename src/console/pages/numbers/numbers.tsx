import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { useWho } from '../../session/session.tsx';
import { Connect } from './connect.tsx';
import { NumberList } from './number-list.tsx';
import { Phones } from './phones.tsx';
import { Refused } from './refused.tsx';
import { Routes } from './routes.tsx';
import { Trunks } from './trunks.tsx';

/** How calls come to agents: who may call in, which number is whose, and what happens to a call. */
export default function NumbersPage() {
  const { t } = useTranslation('numbers');
  const { may } = useWho();
  const tabs = [
    { id: 'routes', name: t('tabs.routes'), content: () => <Routes /> },
    { id: 'numbers', name: t('tabs.numbers'), content: () => <NumberList /> },
    { id: 'trunks', name: t('tabs.trunks'), content: () => <Trunks /> },
    { id: 'phones', name: t('tabs.phones'), content: () => <Phones /> },
    { id: 'refused', name: t('tabs.refused'), content: () => <Refused /> },
    ...(may('account') ? [{ id: 'connect', name: t('tabs.connect'), content: () => <Connect /> }] : []),
  ];
  return (
    <Page title={t('title')} lead={t('lead')}>
      <PageTabs label={t('title')} tabs={tabs} />
    </Page>
  );
}
