import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';

export default function PlaygroundPage() {
  const { t } = useTranslation('playground');
  return <Page title={t('title')}>{null}</Page>;
}
