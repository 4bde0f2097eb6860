import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Page } from '../../parts/page.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { Events } from './events.tsx';
import { Signature } from './signature.tsx';
import { WebhookList } from './webhook-list.tsx';
import { WebhookView } from './webhook-view.tsx';

/** Where programs are told what happens; one of them in full where the address names it. */
export default function WebhooksPage() {
  const { t } = useTranslation('webhooks');
  const [query] = useSearchParams();
  const id = query.get('webhook');
  if (id !== null) return <WebhookView key={id} id={id} />;
  const tabs = [
    { id: 'list', name: t('tabs.list'), content: () => <WebhookList /> },
    { id: 'events', name: t('tabs.events'), content: () => <Events /> },
    { id: 'signature', name: t('tabs.signature'), content: () => <Signature /> },
  ];
  return (
    <Page title={t('title')} lead={t('lead')}>
      <PageTabs label={t('title')} tabs={tabs} />
    </Page>
  );
}
