import { useTranslation } from 'react-i18next'
import { ScreenFrame } from '@/ui/screen'

export function Screen() {
  const { t } = useTranslation('users')
  return <ScreenFrame title={t('title')}>{null}</ScreenFrame>
}
