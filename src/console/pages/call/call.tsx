import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';

export default function CallPage() {
  const { t } = useTranslation('call');
  return <Page title={t('title')}>{null}</Page>;
}
