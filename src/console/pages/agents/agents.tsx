import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';

export default function AgentsPage() {
  const { t } = useTranslation('agents');
  return <Page title={t('title')}>{null}</Page>;
}
