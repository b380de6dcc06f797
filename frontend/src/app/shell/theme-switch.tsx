import { useTranslation } from '@/lib/i18n/i18n'
import { chooseTheme, useTheme } from '@/components/layout/theme'
import { Button, IconButton } from '@/components/ui/button'

/** Switches between dark and light; `hasLabel` shows the name of the setting. */
export function ThemeSwitch({ hasLabel = false }: { hasLabel?: boolean }) {
  const { t } = useTranslation('shell')
  const theme = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  const label = t(other === 'light' ? 'theme.toLight' : 'theme.toDark')
  const icon = other === 'light' ? 'sun' : 'moon'
  return hasLabel ? (
    <Button icon={icon} onClick={() => chooseTheme(other)}>
      {label}
    </Button>
  ) : (
    <IconButton icon={icon} label={label} onClick={() => chooseTheme(other)} />
  )
}
