import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { useWho } from '../../session/session.tsx';
import { Audit } from './audit.tsx';
import { Keys } from './keys.tsx';
import { Me } from './me.tsx';
import { Persons } from './persons.tsx';
import { Tokens } from './tokens.tsx';

/** Who and what may get in. Everybody sees what is their own; the rest is for who keeps the account. */
export default function PeoplePage() {
  const { t } = useTranslation('people');
  const { may } = useWho();
  const mine = { id: 'me', name: t('tabs.me'), content: () => <Me /> };
  if (!may('account')) return <Page title={t('tabs.me')}>{mine.content()}</Page>;
  const tabs = [
    { id: 'tokens', name: t('tabs.tokens'), content: () => <Tokens /> },
    { id: 'keys', name: t('tabs.keys'), content: () => <Keys /> },
    { id: 'people', name: t('tabs.people'), content: () => <Persons /> },
    { id: 'audit', name: t('tabs.audit'), content: () => <Audit /> },
    mine,
  ];
  return (
    <Page title={t('title')} lead={t('lead')}>
      <PageTabs label={t('title')} tabs={tabs} />
    </Page>
  );
}
