/** The page for a report without an account. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Link } from '@/components/ui/link'
import { QueryStates } from '@/components/query/query-states'
import { ButtonLink } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { ServerLogo } from '@/components/ui/server-logo'
import { Skeleton } from '@/components/ui/skeleton'
import { StateMessage } from '@/components/ui/state-message'
import { usePageTop } from '@/components/ui/use-page-top'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { decodeStored, oneLine } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { publicReportTargetQuery, type PublicReportTarget, type TargetAddress } from './api/target'
import { AddressForm } from './components/address-form'
import { PublicReportForm, type SentReport } from './components/public-report-form'
import styles from './public-report.module.css'

export function PublicReportPage() {
  const { t } = useTranslation('public-report')
  const [query] = useSearchParams()
  const address = { server: query.get('server') ?? '', review: query.get('review') ?? '' }
  const isNamed = address.server !== '' || address.review !== ''
  return (
    <div className={styles.page}>
      <PageHeader title={t('title')} description={t('lead')} />
      {isNamed ? <About key={address.server + address.review} address={address} /> : <AddressForm />}
    </div>
  )
}

function About({ address }: { address: TargetAddress }) {
  const { t } = useTranslation('public-report')
  const language = useLanguage()
  const target = useQuery(publicReportTargetQuery(address))
  const [sent, setSent] = useState<SentReport | null>(null)
  if (sent !== null) return <Thanks report={sent} />
  return (
    <QueryStates
      query={target}
      loading={<Skeleton height="20rem" />}
      failed={t('unread')}
      empty={
        <StateMessage
          heading="h2"
          drawing="empty"
          title={t('gone.title')}
          actions={<ButtonLink to={paths.publicReport(language)}>{t('other')}</ButtonLink>}
        >
          {t('gone.text')}
        </StateMessage>
      }
    >
      {(found) => (
        <>
          <Subject target={found} />
          <PublicReportForm target={found} onSent={setSent} />
        </>
      )}
    </QueryStates>
  )
}

/** Shows the subject, so that nobody reports the wrong one. */
function Subject({ target: { server, review } }: { target: PublicReportTarget }) {
  const { t } = useTranslation('public-report')
  const language = useLanguage()
  const name = decodeStored(server.name ?? '')
  return (
    <div className={styles.subject}>
      <ServerLogo src={server.logo_image_url} name={name} size={48} />
      <div className={styles.words}>
        <span className={styles.note}>{t('about')}</span>
        <Link to={paths.server(language, { slug: server.slug ?? '' })}>
          {review === null ? name : t('review', { name })}
        </Link>
        {review !== null && <q className={styles.quote}>{oneLine(review.comment)}</q>}
      </div>
      <Link className={styles.other} to={paths.publicReport(language)}>
        {t('other')}
      </Link>
    </div>
  )
}

function Thanks({ report: sent }: { report: SentReport }) {
  const { t } = useTranslation('public-report')
  const language = useLanguage()
  const place = usePageTop<HTMLDivElement>()
  return (
    <div ref={place}>
      <StateMessage
        announced
        heading="h2"
        drawing="empty"
        title={t('done.title')}
        actions={
          <ButtonLink icon="home" to={paths.home(language)}>
            {t('done.home')}
          </ButtonLink>
        }
      >
        {t('done.text', { email: sent.email })}
      </StateMessage>
    </div>
  )
}
