import { useTranslation } from '@/lib/i18n'
import { copyText } from '@/lib/clipboard'
import { Button, type ButtonLook } from './button'
import { showToast } from './toast-store'

interface ShareButtonProps extends Pick<ButtonLook, 'look' | 'size' | 'wide'> {
  /** What it is, for the device's own sheet. */
  title: string
  /** A whole address. */
  url: string
}

/** Hands an address on: through the device's own sheet where there is one, else by the clipboard. */
export function ShareButton({ title, url, ...look }: ShareButtonProps) {
  const { t } = useTranslation('ui')

  async function share(): Promise<void> {
    if (navigator.share) {
      // A sheet that is closed again is no failure.
      await navigator.share({ title, url }).catch(() => {})
      return
    }
    try {
      await copyText(url)
      showToast({ tone: 'success', title: t('share.copied'), description: url })
    } catch {
      showToast({ tone: 'danger', title: t('share.failed'), description: url })
    }
  }

  return (
    <Button {...look} icon="external" onClick={() => void share()}>
      {t('share.do')}
    </Button>
  )
}
