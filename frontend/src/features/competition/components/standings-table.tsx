import { useState } from 'react'
import { Link } from '@/components/ui/link'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Medal } from '@/components/ui/medal'
import { Panel, PanelEmpty } from '@/components/ui/panel'
import { ServerLogo } from '@/components/ui/server-logo'
import type { EventState } from '@/entities/event/state'
import { formatNumber, formatUnit } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Standing } from '../api/competition'
import styles from './competition.module.css'

/** The servers whose votes decide whether the target is reached; the others are shown on demand. */
const FIRST = 10

/** The current places of an event. */
export function StandingsTable({ standings, state }: { standings: readonly Standing[]; state: EventState }) {
  const { t } = useTranslation(['competition', 'ui'])
  const [isWhole, setWhole] = useState(false)
  const visibleStandings = isWhole ? standings : standings.slice(0, FIRST)
  return (
    <Panel
      variant="above"
      title={t(state === 'ended' ? 'competition:places.final' : 'competition:places.title')}
      intro={t('competition:places.intro')}
    >
      {standings.length === 0 ? (
        <PanelEmpty>{t(state === 'upcoming' ? 'competition:places.notYet' : 'competition:places.none')}</PanelEmpty>
      ) : (
        <ol className={styles.places}>
          {visibleStandings.map((standing) => (
            <Row key={standing.server_id} standing={standing} />
          ))}
        </ol>
      )}
      {visibleStandings.length < standings.length && (
        <Button variant="quiet" icon="chevron-down" onClick={() => setWhole(true)}>
          {t('ui:showAll', { count: standings.length })}
        </Button>
      )}
    </Panel>
  )
}

function Row({ standing }: { standing: Standing }) {
  const { t } = useTranslation('competition')
  const language = useLanguage()
  const name = decodeStored(standing.name ?? '')
  const place = standing.place ?? 0
  const votes = standing.votes_count ?? 0
  return (
    <li className={styles.place} value={place}>
      <Medal place={place} label={t('places.place', { place: formatNumber(place, language) })} />
      <ServerLogo src={standing.logo_image_url} name={name} size={40} />
      <span className={styles.words}>
        <Link to={paths.server(language, { slug: standing.slug, id: standing.server_id })} className={styles.name}>
          {name}
        </Link>
        <span className={styles.game}>
          {standing.game_name}
          {standing.prize_days !== null && (
            <Badge tone="gold" icon="crown">
              {t('places.won', { days: formatUnit(standing.prize_days, 'day', language) })}
            </Badge>
          )}
        </span>
      </span>
      <span className={styles.votes}>
        <strong>{formatNumber(votes, language)}</strong> {t('places.votes', { count: votes })}
      </span>
    </li>
  )
}
