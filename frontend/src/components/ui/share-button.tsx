import { useTranslation } from '@/lib/i18n/i18n'
import { Button, type ButtonOptions } from './button'
import { useCopy } from './use-copy'

interface ShareButtonProps extends Pick<ButtonOptions, 'variant' | 'size' | 'wide'> {
  /** What it is, for the device's own sheet. */
  title: string
  /** A whole address. */
  url: string
}

/** Hands an address on: through the device's own sheet where there is one, else by the clipboard. */
export function ShareButton({ title, url, ...button }: ShareButtonProps) {
  const { t } = useTranslation('ui')
  const copy = useCopy()

  async function share(): Promise<void> {
    if (navigator.share) {
      // A sheet that is closed again is no failure.
      await navigator.share({ title, url }).catch(() => {})
      return
    }
    await copy(url, { tone: 'success', title: t('share.copied'), description: url }, true)
  }

  return (
    <Button {...button} icon="external" onClick={() => void share()}>
      {t('share.do')}
    </Button>
  )
}
