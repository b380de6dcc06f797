import { useTranslation } from 'react-i18next'

export function Screen() {
  const { t } = useTranslation('login')
  return <h1>{t('title')}</h1>
}
