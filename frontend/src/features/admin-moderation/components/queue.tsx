import { Link } from '@/components/ui/link'
import { Badge } from '@/components/ui/badge'
import { classes } from '@/components/ui/classes'
import { useNow } from '@/components/ui/use-now'
import { formatRelative } from '@/lib/i18n/format-relative'
import { useTranslation } from '@/lib/i18n/i18n'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { QueuedCase } from '../api/cases'
import { decisionOf, kindOf } from '../model/case'
import styles from '../admin-moderation.module.css'

interface QueueProps {
  cases: readonly QueuedCase[]
  current: string | null
  linkTo: (id: string) => string
}

/** The list of pending cases. */
export function Queue({ cases, current, linkTo }: QueueProps) {
  const { t } = useTranslation('admin-moderation')
  const language = useLanguage()
  const now = useNow(60_000)
  return (
    <ol className={styles.queue} aria-label={t('queue')}>
      {cases.map((one) => (
        <li key={one.id}>
          <Link
            to={linkTo(one.id)}
            className={classes(styles.entry, one.id === current && styles.current)}
            aria-current={one.id === current || undefined}
          >
            <span className={styles.entryHead}>
              <Badge>{t(`kinds.${kindOf(one.kind)}`)}</Badge>
              <span className={styles.note}>{formatRelative(one.decided_at ?? one.opened_at, language, now)}</span>
            </span>
            <span className={styles.entryName}>{decodeStored(one.label)}</span>
            <span className={styles.note}>
              {one.person === null ? t('noPerson') : t('concerns', { name: one.person.username })}
              {one.decision !== null && ` · ${t(`decided.${decisionOf(one.decision)}`)}`}
              {one.taken_back_at !== null && ` · ${t('takenBack')}`}
            </span>
          </Link>
        </li>
      ))}
    </ol>
  )
}
