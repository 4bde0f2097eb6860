import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';

export default function WebhooksPage() {
  const { t } = useTranslation('webhooks');
  return <Page title={t('title')}>{null}</Page>;
}
