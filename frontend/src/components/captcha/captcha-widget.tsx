import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { RetryButton } from '@/components/ui/retry-button'
import { Skeleton } from '@/components/ui/skeleton'
import { captchaQuery, type CaptchaScope, type SolvedCaptcha } from '@/entities/captcha/queries'
import { config } from '@/lib/config'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { captchaApi, type CaptchaApi, type OutsideProvider } from './captcha-script'
import styles from './captcha-widget.module.css'

/**
 * An hCaptcha token is valid for two minutes, a Turnstile token for five; both widgets report the
 * expiry.
 */
const LIFETIME = 300_000

type Stage = 'loading' | 'shown' | 'failed'

/** The widget of the captcha provider; after a failure it is created anew on request. */
export function CaptchaWidget({ scope }: { scope: CaptchaScope }) {
  const [attempt, setAttempt] = useState(0)
  return <Widget key={attempt} scope={scope} onRetry={() => setAttempt(attempt + 1)} />
}

/** Writes the widget's token into the query from which the form reads it. */
function Widget({ scope: { purpose, serverId }, onRetry }: { scope: CaptchaScope; onRetry: () => void }) {
  const { t } = useTranslation('captcha')
  const language = useLanguage()
  const client = useQueryClient()
  const place = useRef<HTMLDivElement>(null)
  const widget = useRef<{ api: CaptchaApi; id: string } | null>(null)
  const [stage, setStage] = useState<Stage>('loading')
  const { data: solved } = useQuery({ ...captchaQuery({ purpose, serverId }), enabled: false })

  const keep = useCallback(
    (payload: string | null) => {
      if (payload === null) client.removeQueries({ queryKey: captchaQuery({ purpose, serverId }).queryKey })
      else
        client.setQueryData<SolvedCaptcha>(captchaQuery({ purpose, serverId }).queryKey, {
          payload,
          expiresAt: Date.now() + LIFETIME,
        })
    },
    [client, purpose, serverId],
  )

  useEffect(() => {
    const box = place.current
    if (!box) return
    let isUnmounted = false
    const fail = () => !isUnmounted && setStage('failed')
    captchaApi(config.captcha as OutsideProvider)
      .then((api) => {
        if (isUnmounted) return
        const theme = window.getComputedStyle(document.documentElement).colorScheme === 'light' ? 'light' : 'dark'
        const id = api.render(box, {
          sitekey: config.captchaSiteKey,
          theme,
          hl: language,
          language,
          'challenge-container': box,
          callback: keep,
          'expired-callback': () => keep(null),
          'error-callback': fail,
        })
        widget.current = { api, id }
        setStage('shown')
      })
      .catch(fail)
    return () => {
      isUnmounted = true
      widget.current?.api.remove(widget.current.id)
      widget.current = null
    }
  }, [keep, language])

  // A refused vote has used up the token, so the widget is reset.
  const had = useRef(false)
  useEffect(() => {
    if (had.current && solved === undefined) widget.current?.api.reset(widget.current.id)
    had.current = solved !== undefined
  }, [solved])

  return (
    <div className={styles.widget} data-captcha={config.captcha}>
      <div ref={place} className={styles.box} hidden={stage === 'failed'} />
      {stage === 'loading' && <Skeleton height="4.0625rem" />}
      {stage === 'failed' && (
        <p role="status">
          {t('unloaded')} <RetryButton size="small" variant="quiet" onClick={onRetry} />
        </p>
      )}
    </div>
  )
}
