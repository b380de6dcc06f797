/** A report by somebody without an account: what about, why, and who. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { QueryStates } from '@/components/query/query-states'
import { ButtonLink } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { ServerLogo } from '@/components/ui/server-logo'
import { Skeleton } from '@/components/ui/skeleton'
import { StateMessage } from '@/components/ui/state-message'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { decodeStored, oneLine } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { noticeTargetQuery, type NoticeTarget, type Wanted } from './api/target'
import { AddressForm } from './components/address-form'
import { NoticeForm, type Sent } from './components/notice-form'
import styles from './notice.module.css'

export function NoticePage() {
  const { t } = useTranslation('notice')
  const [query] = useSearchParams()
  const wanted = { server: query.get('server') ?? '', review: query.get('review') ?? '' }
  const isNamed = wanted.server !== '' || wanted.review !== ''
  return (
    <div className={styles.page}>
      <PageHeader title={t('title')} lead={t('lead')} />
      {isNamed ? <About key={wanted.server + wanted.review} wanted={wanted} /> : <AddressForm />}
    </div>
  )
}

function About({ wanted }: { wanted: Wanted }) {
  const { t } = useTranslation('notice')
  const language = useLanguage()
  const target = useQuery(noticeTargetQuery(wanted))
  const [sent, setSent] = useState<Sent | null>(null)
  if (sent !== null) return <Thanks sent={sent} />
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
          actions={<ButtonLink to={paths.notice(language)}>{t('other')}</ButtonLink>}
        >
          {t('gone.text')}
        </StateMessage>
      }
    >
      {(found) => (
        <>
          <Subject target={found} />
          <NoticeForm target={found} onSent={setSent} />
        </>
      )}
    </QueryStates>
  )
}

/** What is being reported, so that nobody reports another by mistake. */
function Subject({ target: { server, review } }: { target: NoticeTarget }) {
  const { t } = useTranslation('notice')
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
      <Link className={styles.other} to={paths.notice(language)}>
        {t('other')}
      </Link>
    </div>
  )
}

function Thanks({ sent }: { sent: Sent }) {
  const { t } = useTranslation('notice')
  const language = useLanguage()
  return (
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
  )
}
