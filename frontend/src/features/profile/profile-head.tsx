/** The head of the profile: name, email address, role, and the date of registration. */
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { RoleBadge } from '@/components/layout/role-badge'
import { Skeleton } from '@/components/ui/skeleton'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { formatDate, formatNumber } from '@/lib/i18n/format'
import type { Profile } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import { detailsQuery } from './api/details'
import styles from './profile-head.module.css'

interface ProfileHeadProps {
  userId: string
  email: string
  profile: Profile | null
}

export function ProfileHead({ userId, email, profile }: ProfileHeadProps) {
  const { t } = useTranslation(['profile', 'ui'])
  const language = useLanguage()
  const { data: details, isPending } = useQuery(detailsQuery(userId))
  const username = details?.username ?? profile?.username ?? null
  // Only where the name cannot be loaded: a name that is replaced a moment later looks like a mistake.
  const name = username ?? (isPending ? null : (email.split('@')[0] ?? ''))
  return (
    <header className={styles.head}>
      <span className={styles.avatar} aria-hidden="true">
        {name !== null && [...name][0]?.toUpperCase()}
      </span>
      <div className={styles.text}>
        <div className={styles.line}>
          <h1 className={styles.name}>
            {name ?? (
              <>
                <VisuallyHidden>{t('ui:loading')}</VisuallyHidden>
                <Skeleton width="10rem" height="1lh" />
              </>
            )}
          </h1>
          {profile && <RoleBadge profile={profile} />}
        </div>
        <p className={styles.facts}>{email}</p>
        {isPending && (
          <div className={styles.facts}>
            <Skeleton width="14rem" height="1lh" />
            <Skeleton width="4rem" height="1lh" />
          </div>
        )}
        {details && (
          <p className={styles.facts}>
            <span>{t('head.since', { date: formatDate(details.createdAt, language) })}</span>
            <span>
              {t('head.votes', { count: details.totalVotes, number: formatNumber(details.totalVotes, language) })}
            </span>
          </p>
        )}
      </div>
    </header>
  )
}
