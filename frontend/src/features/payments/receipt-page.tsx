/** A receipt or a credit note, for reading and printing. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Link } from '@/components/ui/link'
import { NotFoundState } from '@/components/layout/not-found-state'
import { QueryStates } from '@/components/query/query-states'
import { Button } from '@/components/ui/button'
import { FailedState } from '@/components/ui/failed-state'
import { PanelLoading } from '@/components/ui/panel'
import { isNotFound } from '@/lib/api/errors'
import { formatDate } from '@/lib/i18n/format'
import { formatAmount, formatTaxRate } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { pageAt, paths } from '@/lib/routing/paths'
import { useDocumentHead } from '@/lib/routing/use-document-head'
import { useSession } from '@/lib/session/session'
import { decodeStored } from '@/lib/text/stored-text'
import { receiptQuery, type ReceiptDocument } from './api/receipts'
import { useSubjectWords } from './components/subject-words'
import { documentNumber } from './model/document'
import styles from './receipt-page.module.css'

export function ReceiptPage() {
  const { t } = useTranslation('payments')
  const { user } = useSession()
  const number = pageAt(useLocation().pathname)?.params.number ?? ''
  const query = useQuery({ ...receiptQuery(user?.id ?? '', number), enabled: user !== null && isNumber(number) })
  if (!isNumber(number)) return <Missing />
  return (
    <QueryStates
      query={query}
      loading={<PanelLoading rows={4} />}
      failed={(retry) =>
        isNotFound(query.error) ? (
          <Missing />
        ) : (
          <FailedState
            heading="h1"

            title={t('papers.unreadable')}
            onRetry={retry}
          />
        )
      }
    >
      {(receipt) => <ReceiptBody receipt={receipt} />}
    </QueryStates>
  )
}

/** Validates the number in the address. */
function isNumber(text: string): boolean {
  return /^\d{1,12}$/.test(text)
}

function Missing() {
  const { t } = useTranslation('payments')
  const to = paths.profile(useLanguage())
  return (
    <NotFoundState title={t('papers.missing')} link={{ to, label: t('ways.purchases') }}>
      {t('papers.missingText')}
    </NotFoundState>
  )
}

function ReceiptBody({ receipt }: { receipt: ReceiptDocument }) {
  const { t } = useTranslation('payments')
  const language = useLanguage()
  const isCredit = receipt.kind === 'credit'
  const title = t(isCredit ? 'paper.credit' : 'paper.receipt', { number: documentNumber(receipt.number) })
  useDocumentHead({ title, indexed: false })
  const { seller, subject } = receipt
  return (
    <>
      <div className={styles.ways}>
        <Link to={paths.profile(language)} className={styles.up}>
          {t('papers.up')}
        </Link>
        <Button icon="download" onClick={() => window.print()}>
          {t('papers.print')}
        </Button>
      </div>
      <article className={styles.sheet}>
        <header className={styles.head}>
          <div>
            <h1 className={styles.title}>{title}</h1>
            <p className={styles.muted}>{t('paper.issued', { date: formatDate(receipt.issued_at, language) })}</p>
            {subject.receipt !== null && (
              <p className={styles.muted}>{t('paper.about', { number: documentNumber(subject.receipt) })}</p>
            )}
          </div>
          <p className={styles.brand}>{seller.name || t('paper.site')}</p>
        </header>
        <div className={styles.parties}>
          <Party title={t('paper.seller')}>
            <p>{seller.name || t('paper.site')}</p>
            {seller.address && <p className={styles.lines}>{seller.address}</p>}
            {seller.taxId && <p>{t('paper.taxId', { id: seller.taxId })}</p>}
          </Party>
          <Party title={t('paper.buyer')}>
            <p>{receipt.buyer_name}</p>
            <p>{receipt.buyer_email}</p>
          </Party>
        </div>
        <Lines receipt={receipt} />
        {seller.taxNote && <p className={styles.muted}>{seller.taxNote}</p>}
        {receipt.others.length > 0 && (
          <section>
            <h2 className={styles.small}>{t('paper.others')}</h2>
            <ul>
              {receipt.others.map((other) => (
                <li key={other.number}>
                  <Link to={paths.receipt(language, { number: String(other.number) })} className={styles.link}>
                    {t(other.kind === 'credit' ? 'paper.credit' : 'paper.receipt', {
                      number: documentNumber(other.number),
                    })}
                  </Link>{' '}
                  · {formatDate(other.issued_at, language)} ·{' '}
                  {formatAmount(
                    other.kind === 'credit' ? -other.amount_cents : other.amount_cents,
                    receipt.currency,
                    language,
                  )}
                </li>
              ))}
            </ul>
          </section>
        )}
      </article>
    </>
  )
}

function Party({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className={styles.small}>{title}</h2>
      {children}
    </section>
  )
}

/** A receipt has one line, with the tax included in its price. A credit note shows no days. */
function Lines({ receipt }: { receipt: ReceiptDocument }) {
  const { t } = useTranslation('payments')
  const language = useLanguage()
  const wordsOf = useSubjectWords()
  const { subject, currency } = receipt
  const isCredit = receipt.kind === 'credit'
  const money = (cents: number): string => formatAmount(isCredit ? -cents : cents, currency, language)
  const name = wordsOf({ kind: subject.kind, days: receipt.days, position: subject.position })
  return (
    // A phone scrolls it sideways, also by keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={t('paper.line')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('paper.line')}</th>
            <th scope="col">{t('paper.quantity')}</th>
            <th scope="col">{t('paper.unit')}</th>
            <th scope="col">{t('paper.amount')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              {isCredit ? t('paper.refundOf', { name }) : name}
              {subject.server && <span className={styles.detail}>{decodeStored(subject.server)}</span>}
              {subject.starts && subject.ends && (
                <span className={styles.detail}>
                  {t('dates', { from: formatDate(subject.starts, language), to: formatDate(subject.ends, language) })}
                </span>
              )}
            </td>
            <td>{isCredit ? '' : receipt.days}</td>
            <td>{isCredit ? '' : formatAmount(receipt.unit_price_cents, currency, language)}</td>
            <td>{money(receipt.amount_cents)}</td>
          </tr>
        </tbody>
        <tfoot>
          {receipt.tax_basis_points > 0 && (
            <tr>
              <th scope="row" colSpan={3}>
                {t('paper.tax', { rate: formatTaxRate(receipt.tax_basis_points, language) })}
              </th>
              <td>{money(receipt.tax_cents)}</td>
            </tr>
          )}
          <tr className={styles.total}>
            <th scope="row" colSpan={3}>
              {t(isCredit ? 'paper.totalBack' : 'paper.total')}
            </th>
            <td>{money(receipt.amount_cents)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
