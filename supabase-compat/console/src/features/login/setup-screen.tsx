import { useTranslation } from 'react-i18next'

export function SetupScreen() {
  const { t } = useTranslation('login')
  return <h1>{t('setup.title')}</h1>
}
