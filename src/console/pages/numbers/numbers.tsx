import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';

export default function NumbersPage() {
  const { t } = useTranslation('numbers');
  return <Page title={t('title')}>{null}</Page>;
}
