import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Button, type ButtonOptions } from './button'
import { useCopy } from './use-copy'
import { VisuallyHidden } from './visually-hidden'

/** Milliseconds for which a button says that it copied. */
const SAID = 2000

interface CopyButtonProps extends Omit<ButtonOptions, 'icon'> {
  text: string
  /** What is copied, where there are several things to copy. */
  label?: string
  onCopied?: () => void
  children?: ReactNode
}

/** Copies a text and confirms it on the button. */
export function CopyButton({ text, label, onCopied, children, ...button }: CopyButtonProps) {
  const { t } = useTranslation('ui')
  const copy = useCopy()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SAID)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <>
      <Button
        {...button}
        icon={copied ? 'check' : 'copy'}
        aria-label={label}
        onClick={() =>
          void copy(text).then((done) => {
            setCopied(done)
            if (done) onCopied?.()
          })
        }
      >
        {copied ? t('copy.done') : (children ?? t('copy.do'))}
      </Button>
      <VisuallyHidden>
        <span role="status">{copied && t('copy.done')}</span>
      </VisuallyHidden>
    </>
  )
}
