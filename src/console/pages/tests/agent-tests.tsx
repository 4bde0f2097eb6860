import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';

export default function AgentTestsPage() {
  const { t } = useTranslation('tests');
  return <Page title={t('title')}>{null}</Page>;
}
