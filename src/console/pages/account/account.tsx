import { useTranslation } from 'react-i18next';
import { useAsk } from '../../api/hooks.ts';
import { Page } from '../../parts/page.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { Shown } from '../../parts/states.tsx';
import { useWho } from '../../session/session.tsx';
import { Credit } from './credit.tsx';
import { DoNotCall } from './do-not-call.tsx';
import { Erasures } from './erasures.tsx';
import { Ledger } from './ledger.tsx';
import { Settings } from './settings.tsx';
import { TopUp } from './top-up.tsx';
import { Usage } from './usage.tsx';

/** What there is, what it goes for, how long it lasts, and how much may be spent. */
export default function AccountPage() {
  const { t } = useTranslation('account');
  const { may } = useWho();
  const account = useAsk('getAccount', {}, { everyMs: 30_000 });
  const tabs = [
    {
      ...{ id: 'usage', name: t('tabs.usage') },
      content: () => <Shown of={account}>{(one) => <Usage timeZone={one.time_zone} />}</Shown>,
    },
    { id: 'ledger', name: t('tabs.ledger'), content: () => <Ledger /> },
    { id: 'do-not-call', name: t('tabs.doNotCall'), content: () => <DoNotCall /> },
    { id: 'erasures', name: t('tabs.erasures'), content: () => <Erasures /> },
    ...(may('account') ? [{ id: 'settings', name: t('tabs.settings'), content: () => <Settings /> }] : []),
  ];
  return (
    <Page title={t('title')} actions={may('operator') && <TopUp />}>
      <Shown of={account} height={120}>
        {(one) => <Credit account={one} />}
      </Shown>
      <PageTabs label={t('title')} tabs={tabs} />
    </Page>
  );
}
