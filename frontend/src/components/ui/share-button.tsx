import { useTranslation } from '@/lib/i18n/i18n'
import { Button, type ButtonOptions } from './button'
import { useCopy } from './use-copy'

interface ShareButtonProps extends Pick<ButtonOptions, 'variant' | 'size' | 'wide'> {
  /** The title for the device's share sheet. */
  title: string
  /** An absolute URL. */
  url: string
}

/** Shares an address through the device's share sheet where there is one, else by the clipboard. */
export function ShareButton({ title, url, ...button }: ShareButtonProps) {
  const { t } = useTranslation('ui')
  const copy = useCopy()

  async function share(): Promise<void> {
    if (navigator.share) {
      // A share sheet that was canceled is no failure.
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
