import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';

export default function PeoplePage() {
  const { t } = useTranslation('people');
  return <Page title={t('title')}>{null}</Page>;
}
