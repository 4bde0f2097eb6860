import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';

export default function OverviewPage() {
  const { t } = useTranslation('overview');
  return <Page title={t('title')}>{null}</Page>;
}
