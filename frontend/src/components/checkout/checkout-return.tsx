import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { StateMessage } from '@/components/ui/state-message'
import { useTranslation } from '@/lib/i18n'

/** What is known of a payment: the provider may tell the site some seconds after it sent the browser back. */
export type PaymentState = 'pending' | 'paid' | 'failed'

interface CheckoutReturnProps {
  /** From the address the provider sent the browser back to. */
  sessionId: string | null
  /** Reads the payment's state; asked again while it is pending. */
  payment: (sessionId: string) => Pick<UseQueryOptions<PaymentState>, 'queryKey' | 'queryFn'>
  /** What was bought, once it is sure. */
  confirmed: ReactNode
  /** The ways on. */
  actions: ReactNode
}

const EVERY = 2000

/** Where a payment's provider sends the browser back to: verifying, confirmed, failed, or called without a payment. */
export function CheckoutReturn({ sessionId, payment, confirmed, actions }: CheckoutReturnProps) {
  const { t } = useTranslation('checkout')
  const { data, isError, refetch } = useQuery({
    ...payment(sessionId ?? ''),
    enabled: sessionId !== null,
    refetchInterval: ({ state }) => (state.data === undefined || state.data === 'pending' ? EVERY : false),
  })
  if (sessionId === null)
    return (
      <StateMessage heading="h1" drawing="locked" title={t('missing.title')} actions={actions}>
        {t('missing.text')}
      </StateMessage>
    )
  if (isError)
    return (
      <StateMessage
        heading="h1"
        drawing="failed"
        title={t('unknown.title')}
        actions={
          <Button look="primary" icon="refresh" onClick={() => void refetch()}>
            {t('unknown.again')}
          </Button>
        }
      >
        {t('unknown.text')}
      </StateMessage>
    )
  if (data === 'failed')
    return (
      <StateMessage heading="h1" drawing="locked" title={t('failed.title')} actions={actions}>
        {t('failed.text')}
      </StateMessage>
    )
  if (data === 'paid')
    return (
      <StateMessage heading="h1" drawing="empty" title={t('confirmed.title')} actions={actions}>
        {confirmed}
      </StateMessage>
    )
  return (
    <div role="status">
      <StateMessage heading="h1" drawing="empty" title={t('verifying.title')}>
        {t('verifying.text')}
      </StateMessage>
    </div>
  )
}
