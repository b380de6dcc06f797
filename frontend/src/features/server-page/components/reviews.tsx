import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { openAuthDialog } from '@/lib/session/auth-dialog'
import { formatNumber, formatRating } from '@/lib/i18n/format'
import { lazyComponent } from '@/lib/browser/lazy'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import { ownReviewQuery } from '../api/own-review'
import type { ServerDetail } from '../api/server'
import { OwnReview } from './own-review'
import { Panel } from '@/components/ui/panel'
import { ReviewList } from './review-list'
import { Stars } from './stars'
import styles from './reviews.module.css'

const ReviewForm = lazyComponent(async () => (await import('./review-form')).ReviewForm)

/** Reviews of a server, newest first, with the form above them. */
export function Reviews({ server }: { server: ServerDetail }) {
  const { t } = useTranslation('server-page')
  const { status, user, profile } = useSession()
  const viewer = user?.id ?? null
  const ownReview = useQuery(ownReviewQuery(server.id, viewer))
  const [writing, setWriting] = useState(false)
  const [published, setPublished] = useState(false)
  const isOwner = viewer !== null && viewer === server.owner_id
  const mayWrite = status !== 'loading' && !isOwner && !ownReview.data && (viewer === null || ownReview.isSuccess)

  // A guest signs in first; the form is open afterwards.
  function write(): void {
    setWriting(true)
    if (viewer === null) openAuthDialog('signIn')
  }

  return (
    <Panel
      variant="above"
      id="reviews"
      title={t('reviews.title')}
      aside={
        <div className={styles.aside}>
          <Average server={server} />
          {mayWrite && !(writing && viewer !== null) && (
            <Button size="small" icon="star" onClick={write}>
              {t('reviews.write')}
            </Button>
          )}
        </div>
      }
    >
      {writing && !ownReview.data && viewer !== null && (
        <Suspense fallback={<Skeleton height="22rem" radius="var(--radius-lg)" />}>
          <ReviewForm
            serverId={server.id}
            review={null}
            onDone={() => {
              setPublished(true)
              setWriting(false)
            }}
            onCancel={() => setWriting(false)}
          />
        </Suspense>
      )}
      {ownReview.data && (
        <OwnReview review={ownReview.data} serverId={server.id} author={profile?.username ?? null} isNew={published} />
      )}
      <ReviewList server={server} viewer={viewer} enabled={status !== 'loading'} hasOwn={Boolean(ownReview.data)} />
    </Panel>
  )
}

function Average({ server }: { server: ServerDetail }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  if (server.rating_average === null) return null
  const rating = formatRating(server.rating_average, language)
  return (
    <p className={styles.average}>
      <strong aria-hidden="true">{rating}</strong>
      <Stars value={server.rating_average} label={t('reviews.average', { rating })} />
      <span>
        {t('reviews.count', { count: server.review_count, formatted: formatNumber(server.review_count, language) })}
      </span>
    </p>
  )
}
