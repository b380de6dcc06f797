import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
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
      {state === 'failed' && (
        <Button size="small" look="quiet" icon="refresh" onClick={() => void captcha.refetch()}>
          {t('captcha.retry')}
        </Button>
      )}
    </div>
  )
}
