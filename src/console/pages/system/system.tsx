import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';

export default function SystemPage() {
  const { t } = useTranslation('system');
  return <Page title={t('title')}>{null}</Page>;
}
