import { useTranslation } from 'react-i18next'
import { ScreenFrame } from '@/ui/screen'

export function Screen() {
  const { t } = useTranslation('sql')
  return <ScreenFrame title={t('title')}>{null}</ScreenFrame>
}
