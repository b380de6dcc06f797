/** The withdrawal from a purchase: the refund and the consequences, then the confirming button. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { QueryStates } from '@/components/query/query-states'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { PanelLoading } from '@/components/ui/panel'
import { formatDate } from '@/lib/i18n/format'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Payment } from '../api/payments'
import { withdrawMutation, withdrawalQuery } from '../api/withdrawal'
import styles from './payments.module.css'

interface WithdrawalDialogProps {
  payment: Payment
  /** The name of the purchase. */
  name: string
  onClose: () => void
}

export function WithdrawalDialog({ payment, name, onClose }: WithdrawalDialogProps) {
  const { t } = useTranslation(['payments', 'ui'])
  const language = useLanguage()
  const quote = useQuery(withdrawalQuery(payment.id))
  const withdraw = useMutation(withdrawMutation())
  const isArcade = payment.kind === 'arcade'
  const server = payment.servers ? decodeStored(payment.servers.name) : t('payments:gone')
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !withdraw.isPending && onClose()}
      title={t('payments:withdrawal.title', { name })}
      description={t('payments:withdrawal.intro')}
    >
      <QueryStates
        query={quote}
        loading={<PanelLoading rows={1} />}
        failed={t('payments:withdrawal.unreadable')}
        empty={<p>{t('payments:withdrawal.tooLate')}</p>}
      >
        {({ may_withdraw: may, refund_cents: cents, unused_days: unused, until }) =>
          may ? (
            <>
              <div className={styles.sums}>
                <p>{formatAmount(cents, payment.currency, language)}</p>
                <p>
                  {t('payments:withdrawal.back', {
                    of: formatAmount(payment.amount_cents, payment.currency, language),
                  })}
                </p>
              </div>
              <p>
                {isArcade
                  ? t('payments:withdrawal.endsArcade')
                  : t('payments:withdrawal.endsPrestige', { count: unused, server })}
              </p>
              {cents < payment.amount_cents && <p>{t('payments:withdrawal.used')}</p>}
              <p>{t('payments:withdrawal.until', { date: formatDate(until, language) })}</p>
              <div className={styles.buttons}>
                <Button onClick={onClose}>{t('ui:cancel')}</Button>
                <Button
                  variant="danger"
                  busy={withdraw.isPending || quote.isFetching}
                  onClick={() => withdraw.mutate({ paymentId: payment.id, cents }, { onSuccess: onClose })}
                >
                  {t('payments:withdrawal.confirm')}
                </Button>
              </div>
            </>
          ) : (
            <p>{t('payments:withdrawal.tooLate')}</p>
          )
        }
      </QueryStates>
    </Dialog>
  )
}
