import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { ArcadeTile } from '@/components/arcade/arcade-tile'
import { ButtonLink } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useNow } from '@/components/ui/use-now'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { formatDate, formatMoney, formatNumber } from '@/lib/i18n/format'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { siteToday } from '@/lib/time/site-day'
import { useLanguage } from '@/lib/i18n/use-language'
import { arcadeSpotsQuery } from '../api/arcade-spots'
import { POSITIONS, spotAt, spotState, websiteOf, type ArcadeSpot, type Position } from '../model/arcade'
import styles from './arcade-spots.module.css'

interface ArcadeSpotsProps {
  ready: boolean
  /** The price of a day in cents; null if unknown. */
  dailyPrice: number | null
}

/** The three Arcade spots, labeled as advertisements, and a link to book one. */
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
          {t('arcade.sponsored')}
          <VisuallyHidden> · {t('arcade.title')}</VisuallyHidden>
        </h2>
        <ButtonLink
          to={paths.arcadeSpotsManagement(language)}
          size="small"
          variant="quiet"
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
  dailyPrice: number | null
}

function Tile({ spot, position, today, dailyPrice }: TileProps) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  if (spot === undefined) return <FreeTile position={position} dailyPrice={dailyPrice} />

  const state = spotState(spot, today)
  const address = state === 'live' ? websiteOf(spot) : null
  const name = spot.servers ? decodeStored(spot.servers.name) : t('arcade.anonymous')
  return (
    <ArcadeTile
      picture={spot.image_url}
      words={spot.servers && { name, facts: factsOf(spot.servers) }}
      website={address === null ? null : { address, label: t('arcade.visit', { name }) }}
      overlay={
        state === 'live'
          ? null
          : state === 'suspended'
            ? t('arcade.suspended')
            : t('arcade.reserved', { date: formatDate(spot.start_date, language) })
      }
      suspended={state === 'suspended'}
      active={spot.status === 'active'}
    />
  )

  function factsOf({ games, monthly_votes: votes }: NonNullable<ArcadeSpot['servers']>): string[] {
    if (votes === null) return [games.name]
    return [games.name, t('arcade.votes', { count: votes, formatted: formatNumber(votes, language) })]
  }
}

function FreeTile({ position, dailyPrice }: { position: Position; dailyPrice: number | null }) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  return (
    <ButtonLink
      to={`${paths.arcadeSpotsManagement(language)}?position=${position}`}
      variant="quiet"
      className={styles.free}
    >
      <span className={styles.freeTitle}>
        {t('arcade.free')} · {t(`arcade.position.${position}`)}
      </span>
      {dailyPrice !== null && (
        <span className={styles.price}>{t('arcade.price', { price: formatMoney(dailyPrice, 'EUR', language) })}</span>
      )}
    </ButtonLink>
  )
}
