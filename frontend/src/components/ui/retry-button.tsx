import { useTranslation } from '@/lib/i18n/i18n'
import type { ComponentProps } from 'react'
import { Button } from './button'

type RetryButtonProps = Omit<ComponentProps<typeof Button>, 'icon' | 'children'>

/** Tries again what has failed. */
export function RetryButton(props: RetryButtonProps) {
  const { t } = useTranslation('ui')
  return (
    <Button {...props} icon="refresh">
      {t('retry')}
    </Button>
  )
}
