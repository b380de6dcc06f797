import { useTranslation } from '@/lib/i18n'
import { chooseTheme, useTheme } from '@/components/layout/theme'
import { IconButton } from '@/components/ui/button'

export function ThemeSwitch() {
  const { t } = useTranslation('shell')
  const theme = useTheme()
  return theme === 'dark' ? (
    <IconButton icon="sun" label={t('theme.toLight')} onClick={() => chooseTheme('light')} />
  ) : (
    <IconButton icon="moon" label={t('theme.toDark')} onClick={() => chooseTheme('dark')} />
  )
}
