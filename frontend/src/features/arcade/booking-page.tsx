/** The page that books one of the three Arcade spots of the home page. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { Icon } from '@/components/ui/icon'
import { PageHeader } from '@/components/ui/page-header'
import { formatMoney } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import type { SaleTerms } from '@/entities/price/sale-terms'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import { cleanupQuery } from './api/taken'
import { BookingForm } from './components/booking-form'
import styles from './booking-page.module.css'

interface BookingPageProps {
  terms: SaleTerms
  /** The person's earlier bookings. */
  bookings: ReactNode
}

export function BookingPage({ terms, bookings }: BookingPageProps) {
  const { t } = useTranslation('arcade')
  const language = useLanguage()
  const { user } = useSession()
  const [query] = useSearchParams()
  useQuery(cleanupQuery())
  if (user === null) return null
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('title')}
        description={t('lead', { price: formatMoney(terms.arcadeDailyCents, 'EUR', language) })}
      />
      {query.has('cancelled') && (
        <p role="status" className={styles.notice}>
          <Icon name="info" size={18} />
          {t('cancelled')}
        </p>
      )}
      <BookingForm userId={user.id} terms={terms} initialPosition={query.get('position')} />
      {bookings}
    </div>
  )
}
