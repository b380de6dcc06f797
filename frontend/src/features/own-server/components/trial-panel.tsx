import { useMutation } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { StatusBadge } from '@/components/ui/badge'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { toApiError } from '@/lib/api/errors'
import { tryReceiverMutation } from '../api/receivers'
import { useFaultWords } from '../model/use-fault-words'
import styles from './receivers.module.css'

interface TrialPanelProps {
  serverId: string
  receiver: 'votifier' | 'webhook'
  /** Only saved settings are tested. */
  unsaved: boolean
}

/** Tests the saved settings and shows the error. */
export function TrialPanel({ serverId, receiver, unsaved }: TrialPanelProps) {
  const { t } = useTranslation('integrations')
  const refusalText = useRefusal()
  const faultWords = useFaultWords()
  const trial = useMutation(tryReceiverMutation())
  const result = trial.data
  return (
    <div className={styles.trial}>
      <div className={styles.row}>
        <Button
          icon="external"
          busy={trial.isPending}
          disabled={unsaved}
          onClick={() => trial.mutate({ serverId, receiver })}
        >
          {t(`${receiver}.test`)}
        </Button>
        <p className={styles.hint}>{unsaved ? t('testUnsaved') : t(`${receiver}.testHint`)}</p>
      </div>
      <div role="status" className={styles.verdict}>
        {trial.isError && (
          <p>
            <strong>{t(`${receiver}.testFailed`)}</strong> {refusalText(toApiError(trial.error))}
          </p>
        )}
        {result && (
          <>
            <p>
              <StatusBadge status={result.isDelivered ? (result.isConfirmed ? 'good' : 'waiting') : 'bad'}>
                {t(
                  result.isDelivered ? (result.isConfirmed ? 'state.delivered' : 'state.unconfirmed') : 'state.failed',
                )}
              </StatusBadge>
            </p>
            <p>
              {result.fault !== null
                ? faultWords(result.fault, result.status)
                : t(result.isConfirmed ? `${receiver}.testDone` : 'unconfirmedText')}
            </p>
            {result.answer && <pre className={styles.raw}>{result.answer}</pre>}
          </>
        )}
      </div>
    </div>
  )
}
