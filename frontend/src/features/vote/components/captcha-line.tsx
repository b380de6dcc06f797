import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n'
import { Icon } from '@/components/ui/icon'
import { RetryButton } from '@/components/ui/retry-button'
import type { SolvedCaptcha } from '../api/captcha'
import styles from './captcha-line.module.css'

/** How far the proof of work is, in one line. */
export function CaptchaLine({ captcha }: { captcha: UseQueryResult<SolvedCaptcha> }) {
  const { t } = useTranslation('vote')
  const state = captcha.isFetching ? 'working' : captcha.isSuccess ? 'ready' : 'failed'
  return (
    <div className={styles.line} data-state={captcha.isPending && !captcha.isFetching ? 'failed' : state}>
      <span className={styles.mark}>
        <Icon name={state === 'ready' ? 'check' : state === 'failed' ? 'warning' : 'shield'} size={16} />
      </span>
      <span role="status">{t(`captcha.${state}`)}</span>
      {state === 'failed' && <RetryButton size="small" look="quiet" onClick={() => void captcha.refetch()} />}
    </div>
  )
}
