import { useQuery } from '@tanstack/react-query'
import { QueryStates } from '@/components/query/query-states'
import { Badge } from '@/components/ui/badge'
import { ButtonLink } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { FailedState } from '@/components/ui/failed-state'
import { Medal } from '@/components/ui/medal'
import { Skeleton } from '@/components/ui/skeleton'
import { StateMessage } from '@/components/ui/state-message'
import { rememberedNickname } from '@/entities/vote/nickname'
import type { OwnPlace, Period } from '@/entities/vote/own-place'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { leadersQuery, type Leader } from '../api/leaders'
import styles from './leaders.module.css'

interface LeadersProps {
  period: Period
  /** The place of the signed-in person; null without one. */
  ownPlace: OwnPlace | null
}

/**
 * The first three voters on a podium, the others below, and the reader's own line wherever it is.
 */
export function Leaders({ period, ownPlace }: LeadersProps) {
  const { t } = useTranslation('leaderboard')
  const leaders = useQuery(leadersQuery(period))
  return (
    <section className={styles.section} aria-label={t(`list.${period}`)} aria-busy={leaders.isFetching}>
      <QueryStates
        query={leaders}
        loading={<Loading label={t('loading')} />}
        failed={(retry) => (
          <FailedState
            heading="h2"

            title={t('failed.title')}
            onRetry={retry}
          >
            {t('failed.text')}
          </FailedState>
        )}
        empty={<Empty title={t(`empty.${period}`)} />}
      >
        {(rows) => <Rows rows={rows} ownPlace={ownPlace} />}
      </QueryStates>
    </section>
  )
}

function Rows({ rows, ownPlace }: { rows: Leader[]; ownPlace: OwnPlace | null }) {
  const { t } = useTranslation('leaderboard')
  const nickname = rememberedNickname().trim().toLowerCase()
  const most = rows[0]?.votes_count ?? 1
  const isOwn = (row: Leader): boolean => ownPlace !== null && !row.is_guest && row.rank === ownPlace.rank
  // Marks the nickname that this browser votes with; another guest may have typed the same one.
  const isNickname = (row: Leader): boolean =>
    ownPlace === null && row.is_guest && nickname !== '' && row.voter_name.toLowerCase() === nickname
  const isBelow = ownPlace !== null && !rows.some(isOwn)
  return (
    <>
      <ol className={styles.list}>
        {rows.map((row) => (
          <Row key={row.rank} row={row} most={most} mark={isOwn(row) ? 'you' : isNickname(row) ? 'nickname' : null} />
        ))}
      </ol>
      {isBelow && (
        <div className={styles.below} role="group" aria-label={t('own.title')}>
          <Line
            row={{ ...ownPlace, is_guest: false, role: null }}
            place={ownPlace.rank === null ? null : ownPlace.rank}
            most={most}
            mark="you"
          />
        </div>
      )}
    </>
  )
}

type Mark = 'you' | 'nickname' | null

function Row({ row, most, mark }: { row: Leader; most: number; mark: Mark }) {
  return row.rank > 3 ? (
    <li className={styles.item}>
      <Line row={row} place={row.rank} most={most} mark={mark} />
    </li>
  ) : (
    <li className={classes(styles.step, mark && styles.own)} data-place={row.rank}>
      <Step row={row} mark={mark} />
    </li>
  )
}

/** One of the first three voters. */
function Step({ row, mark }: { row: Leader; mark: Mark }) {
  const { t } = useTranslation('leaderboard')
  const language = useLanguage()
  return (
    <>
      <span className={styles.face}>
        <Avatar name={row.voter_name} />
        <span className={styles.medal}>
          <Medal place={row.rank} label={t('place', { rank: row.rank })} />
        </span>
      </span>
      <span className={styles.name}>{row.voter_name}</span>
      <Badges row={row} mark={mark} />
      <p className={styles.figure}>
        <strong>{formatNumber(row.votes_count, language)}</strong> {t('votes', { count: row.votes_count })}
      </p>
    </>
  )
}

interface LineProps {
  row: Pick<Leader, 'voter_name' | 'votes_count' | 'is_guest' | 'role'>
  /** Null where the place is not computed. */
  place: number | null
  most: number
  mark: Mark
}

function Line({ row, place, most, mark }: LineProps) {
  const { t } = useTranslation('leaderboard')
  const language = useLanguage()
  return (
    <div className={classes(styles.line, mark && styles.own)}>
      <span className={styles.place}>
        {place === null ? (
          t('far')
        ) : (
          <Medal place={place} label={t('place', { rank: formatNumber(place, language) })} />
        )}
      </span>
      <Avatar name={row.voter_name} />
      <div className={styles.words}>
        <p className={styles.who}>
          <span className={styles.name}>{row.voter_name}</span>
          <Badges row={row} mark={mark} />
        </p>
        <span className={styles.bar} aria-hidden="true">
          <span style={{ width: `${(100 * row.votes_count) / most}%` }} />
        </span>
      </div>
      <p className={styles.figure}>
        <strong>{formatNumber(row.votes_count, language)}</strong> {t('votes', { count: row.votes_count })}
      </p>
    </div>
  )
}

function Avatar({ name }: { name: string }) {
  return (
    <span className={styles.letter} aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase()}
    </span>
  )
}

function Badges({ row, mark }: { row: Pick<Leader, 'is_guest' | 'role'>; mark: Mark }) {
  const { t } = useTranslation(['leaderboard', 'shell'])
  return (
    <>
      {mark && <Badge tone="accent">{t(`leaderboard:mark.${mark}`)}</Badge>}
      {row.is_guest && <Badge>{t('leaderboard:guest')}</Badge>}
      {(row.role === 'admin' || row.role === 'founder') && (
        <Badge tone="accent" icon={row.role === 'founder' ? 'crown' : 'shield'}>
          {t(`shell:role.${row.role}`)}
        </Badge>
      )}
    </>
  )
}

function Empty({ title }: { title: string }) {
  const { t } = useTranslation('leaderboard')
  const language = useLanguage()
  return (
    <StateMessage
      heading="h2"
      drawing="empty"
      title={title}
      actions={
        <ButtonLink variant="primary" icon="arrow-up" to={paths.home(language)}>
          {t('own.choose')}
        </ButtonLink>
      }
    >
      {t('empty.text')}
    </StateMessage>
  )
}

function Loading({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className={styles.list}>
      {Array.from({ length: 3 }, (_, place) => (
        <div key={place} className={styles.step} data-place={place + 1}>
          <Skeleton width="3.5rem" height="3.5rem" radius="var(--radius-full)" />
          <Skeleton width="70%" height="1rem" />
          <Skeleton width="40%" height="1.5rem" />
        </div>
      ))}
      {Array.from({ length: 7 }, (_, row) => (
        <div key={row} className={styles.item}>
          <div className={styles.line}>
            <Skeleton width="2.5rem" height="1.5rem" />
            <Skeleton width="2.5rem" height="2.5rem" radius="var(--radius-full)" />
            <div className={styles.words}>
              <Skeleton width="40%" height="1rem" />
            </div>
            <Skeleton width="4rem" height="1.25rem" />
          </div>
        </div>
      ))}
    </div>
  )
}
