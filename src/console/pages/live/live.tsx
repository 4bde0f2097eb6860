import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';

export default function LivePage() {
  const { t } = useTranslation('live');
  return <Page title={t('title')}>{null}</Page>;
}
