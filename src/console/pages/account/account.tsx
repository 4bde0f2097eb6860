import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';

export default function AccountPage() {
  const { t } = useTranslation('account');
  return <Page title={t('title')}>{null}</Page>;
}
