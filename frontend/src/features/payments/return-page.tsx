/**
 * The page to which a payment provider sends people back; it works signed in or not, because the
 * payment may happen in another browser.
 */
import { useSearchParams } from 'react-router'
import { CheckoutReturn } from '@/components/checkout/checkout-return'
import { ButtonLink } from '@/components/ui/button'
import { formatDate } from '@/lib/i18n/format'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { decodeStored } from '@/lib/text/stored-text'
import { returnQuery, type PaymentReturn } from './api/return'
import { useSubjectWords } from './components/subject-words'
import { refundReasonOf } from './model/payment-status'

type Kind = 'prestige' | 'arcade'

export function ReturnPage({ kind }: { kind: Kind }) {
  const { user } = useSession()
  const [query] = useSearchParams()
  return (
    <CheckoutReturn
      sessionId={query.get('session_id') || null}
      payment={(id) => returnQuery(id, user?.id ?? null)}
      actions={(row) => <NextLinks kind={kind} row={row} />}
    >
      {(row) => <PurchaseSummary row={row} />}
    </CheckoutReturn>
  )
}

/** What was bought and until when, and what happens to money that could not be used. */
function PurchaseSummary({ row }: { row: PaymentReturn }) {
  const { t } = useTranslation('payments')
  const language = useLanguage()
  const wordsOf = useSubjectWords()
  const reason = refundReasonOf(row.refund_reason)
  const server = row.server_name ? decodeStored(row.server_name) : null
  const money = (cents: number): string => formatAmount(cents, row.currency, language)
  const isBack = row.state === 'toRefund' || row.state === 'refunded'
  return (
    <>
      <p>
        <strong>{wordsOf({ kind: row.kind, days: row.days, position: row.spot_position })}</strong>
        {server && ` · ${server}`} · {money(row.amount_cents)}
      </p>
      {row.kind === 'arcade' && row.start_date && row.end_date && (
        <p>{t('dates', { from: formatDate(row.start_date, language), to: formatDate(row.end_date, language) })}</p>
      )}
      {row.state === 'paid' && row.kind === 'prestige' && row.covers_until && (
        <p>{t('coversUntil', { date: formatDate(row.covers_until, language) })}</p>
      )}
      {isBack && reason && <p>{t(`reason.${reason}`)}</p>}
      {row.refunded_cents > 0 && <p>{t('refund.given', { amount: money(row.refunded_cents) })}</p>}
    </>
  )
}

/** Links to the purchase, or back to the form. */
function NextLinks({ kind, row }: { kind: Kind; row: PaymentReturn | null }) {
  const { t } = useTranslation('payments')
  const language = useLanguage()
  const isOwn = row?.is_own === true
  const isPaid = row?.state === 'paid'
  const isArcade = (row?.kind ?? kind) === 'arcade'
  const seeServer = isPaid && !isArcade && row.server_slug
  const retry = isArcade ? paths.arcadeSpotsManagement(language) : paths.profile(language)
  return (
    <>
      {seeServer && (
        <ButtonLink variant="primary" icon="crown" to={paths.server(language, { slug: row.server_slug })}>
          {t('ways.server')}
        </ButtonLink>
      )}
      {isPaid && isArcade && (
        <ButtonLink variant="primary" icon="home" to={paths.home(language)}>
          {t('ways.home')}
        </ButtonLink>
      )}
      {row !== null && !isPaid && (
        <ButtonLink variant="primary" icon="refresh" to={retry}>
          {t(isArcade ? 'ways.bookAgain' : 'ways.buyAgain')}
        </ButtonLink>
      )}
      {(row === null || isOwn) && (
        <ButtonLink to={isArcade && row !== null ? retry : paths.profile(language)}>{t('ways.purchases')}</ButtonLink>
      )}
    </>
  )
}
