import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n'
import { Badge } from '@/components/ui/badge'
import { ButtonLink } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { Icon } from '@/components/ui/icon'
import { Skeleton } from '@/components/ui/skeleton'
import { useNow } from '@/components/ui/use-now'
import { Picture } from '@/components/ui/picture'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { formatDate, formatMoney, formatNumber } from '@/lib/format'
import { paths } from '@/lib/paths'
import { decodeStored } from '@/lib/stored-text'
import { siteToday } from '@/lib/site-day'
import { useLanguage } from '@/lib/use-language'
import { arcadeSpotsQuery } from '../api/arcade-spots'
import { POSITIONS, spotAt, spotState, websiteOf, type ArcadeSpot, type Position } from '../model/arcade'
import styles from './arcade-spots.module.css'

interface ArcadeSpotsProps {
  ready: boolean
  /** What a day costs, in cents. */
  dailyPrice: number
}

/** Three advertisements, plainly labelled, and how to book one. */
export function ArcadeSpots({ ready, dailyPrice }: ArcadeSpotsProps) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const spots = useQuery({ ...arcadeSpotsQuery(), enabled: ready })
  const today = siteToday(useNow(60_000))
  if (!spots.data && spots.failureCount > 0) return null
  return (
    <section className={styles.arcade} aria-labelledby="arcade-title">
      <div className={styles.head}>
        <h2 id="arcade-title" className={styles.title}>
          {t('arcade.title')}
        </h2>
        <Badge>{t('arcade.sponsored')}</Badge>
        <ButtonLink
          to={paths.arcadeSpotsManagement(language)}
          size="small"
          look="quiet"
          icon="plus"
          className={styles.book}
        >
          {t('arcade.book')}
        </ButtonLink>
      </div>
      <ul className={styles.tiles}>
        {POSITIONS.map((position) => (
          <li key={position}>
            {spots.data ? (
              <Tile
                spot={spotAt(spots.data, position, today)}
                position={position}
                today={today}
                dailyPrice={dailyPrice}
              />
            ) : (
              <Skeleton height="100%" radius="var(--radius-lg)" />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface TileProps {
  spot: ArcadeSpot | undefined
  position: Position
  today: string
  dailyPrice: number
}

function Tile({ spot, position, today, dailyPrice }: TileProps) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  if (spot === undefined) return <FreeTile position={position} dailyPrice={dailyPrice} />

  const state = spotState(spot, today)
  const website = state === 'live' ? websiteOf(spot) : null
  const name = spot.servers ? decodeStored(spot.servers.name) : t('arcade.anonymous')
  const picture = (
    <>
      <Picture src={spot.image_url} width={512} height={288} loading="lazy" />
      {spot.servers && (
        <span className={styles.words}>
          <span className={styles.name}>{name}</span>
          <span className={styles.facts}>
            <span>{spot.servers.games.name}</span>
            {spot.servers.monthly_votes !== null && (
              <span>
                {t('arcade.votes', {
                  count: spot.servers.monthly_votes,
                  formatted: formatNumber(spot.servers.monthly_votes, language),
                })}
              </span>
            )}
          </span>
        </span>
      )}
    </>
  )
  if (website !== null)
    return (
      <a
        href={website}
        target="_blank"
        rel="sponsored noopener noreferrer"
        className={classes(styles.tile, spot.status === 'active' && styles.active)}
      >
        {picture} <VisuallyHidden>{t('arcade.visit', { name })}</VisuallyHidden>
        <span className={styles.leave}>
          <Icon name="external" size={16} />
        </span>
      </a>
    )
  return (
    <div className={classes(styles.tile, styles[state], spot.status === 'active' && styles.active)}>
      {picture}
      {state !== 'live' && (
        <span className={styles.overlay}>
          {state === 'suspended'
            ? t('arcade.suspended')
            : t('arcade.reserved', { date: formatDate(spot.start_date, language) })}
        </span>
      )}
    </div>
  )
}

function FreeTile({ position, dailyPrice }: { position: Position; dailyPrice: number }) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const price = formatMoney(dailyPrice, 'EUR', language)
  return (
    <ButtonLink to={paths.arcadeSpotsManagement(language)} look="quiet" className={classes(styles.tile, styles.free)}>
      <span className={styles.freeTitle}>
        {t('arcade.free')} · {t(`arcade.position.${position}`)}
      </span>
      <span className={styles.price}>{t('arcade.price', { price })}</span>
    </ButtonLink>
  )
}
