import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';

export default function CallsPage() {
  const { t } = useTranslation('calls');
  return <Page title={t('title')}>{null}</Page>;
}
