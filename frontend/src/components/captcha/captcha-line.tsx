import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { Icon } from '@/components/ui/icon'
import { RetryButton } from '@/components/ui/retry-button'
import { toApiError } from '@/lib/api/errors'
import { captchaFailure, type SolvedCaptcha } from '@/entities/captcha/queries'
import styles from './captcha-line.module.css'

/** The progress of the proof of work in one line, or the reason of its failure. */
export function CaptchaLine({ captcha }: { captcha: UseQueryResult<SolvedCaptcha> }) {
  const { t } = useTranslation('captcha')
  const state = captcha.isFetching ? 'working' : captcha.isError ? captchaFailure(toApiError(captcha.error)) : 'ready'
  const hasFailed = state !== 'working' && state !== 'ready'
  return (
    <div className={styles.line} data-state={hasFailed ? 'failed' : state}>
      <span className={styles.mark}>
        <Icon name={state === 'ready' ? 'check' : hasFailed ? 'warning' : 'shield'} size={16} />
      </span>
      <span role="status">{t(`state.${state}`)}</span>
      {hasFailed && <RetryButton size="small" variant="quiet" onClick={() => void captcha.refetch()} />}
    </div>
  )
}
