import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { StateMessage } from '@/components/ui/state-message'
import { useNow } from '@/components/ui/use-now'
import { useTranslation } from '@/lib/i18n/i18n'
import type { PaymentState } from './payment-state'

interface CheckoutReturnProps<Row extends { state: PaymentState }> {
  /** From the address to which the provider sent the browser back. */
  sessionId: string | null
  /**
   * Reads the payment, null where there is none; polled with growing intervals while it is open.
   */
  payment: (sessionId: string) => Pick<UseQueryOptions<Row | null>, 'queryKey' | 'queryFn'>
  /** What was bought, or how the refund stands. */
  children: (row: Row) => ReactNode
  /** Links to the next pages; the row is null while the payment is unknown. */
  actions: (row: Row | null) => ReactNode
}

const FIRST_PAUSE = 1500
const LONGEST_PAUSE = 20_000
/** Milliseconds after which the page says that the payment takes longer than usual. */
const PATIENCE = 12_000

const DRAWINGS = {
  open: 'empty',
  paid: 'empty',
  failed: 'failed',
  expired: 'lost',
  toRefund: 'locked',
  refunded: 'locked',
} as const

/**
 * The page to which a payment provider sends the browser back: verifying, then the outcome; or a
 * notice that there is no payment.
 */
export function CheckoutReturn<Row extends { state: PaymentState }>({
  sessionId,
  payment,
  children,
  actions,
}: CheckoutReturnProps<Row>) {
  const { t } = useTranslation('checkout')
  const [since] = useState(() => Date.now())
  const {
    data: row,
    isError,
    refetch,
    isFetching,
  } = useQuery({
    ...payment(sessionId ?? ''),
    enabled: sessionId !== null,
    refetchInterval: ({ state }) => {
      if (state.data === null || (state.data !== undefined && state.data.state !== 'open')) return false
      return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 1.5 ** state.dataUpdateCount)
    },
  })
  const now = useNow(row === undefined || row?.state === 'open' ? 1000 : null)
  if (sessionId === null)
    return (
      <StateMessage heading="h1" drawing="locked" title={t('missing.title')} actions={actions(null)}>
        {t('missing.text')}
      </StateMessage>
    )
  const again = (
    <Button variant="primary" icon="refresh" busy={isFetching} onClick={() => void refetch()}>
      {t('unknown.again')}
    </Button>
  )
  if (isError)
    return (
      <StateMessage heading="h1" announced drawing="failed" title={t('unknown.title')} actions={again}>
        {t('unknown.text')}
      </StateMessage>
    )
  if (row === null)
    return (
      <StateMessage heading="h1" drawing="lost" title={t('nowhere.title')} actions={actions(null)}>
        {t('nowhere.text')}
      </StateMessage>
    )
  const state = row?.state ?? 'open'
  const isSlow = state === 'open' && now - since > PATIENCE
  return (
    <div role="status">
      <StateMessage
        heading="h1"
        drawing={DRAWINGS[state]}
        title={t(`${state}.title`)}
        actions={state !== 'open' ? row && actions(row) : isSlow && again}
      >
        <p>{t(isSlow ? 'open.slow' : `${state}.text`)}</p>
        {row && children(row)}
      </StateMessage>
    </div>
  )
}
