import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { Medal } from '@/components/ui/medal'
import { ServerLogo } from '@/components/ui/server-logo'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { PodiumPlace } from '../api/podiums'
import styles from './podium-card.module.css'

interface PodiumCardProps {
  /** The game or month of the podium. */
  title: ReactNode
  places: readonly PodiumPlace[]
  id?: string
}

/** The first three servers of a game in a month. */
export function PodiumCard({ title, places, id }: PodiumCardProps) {
  return (
    <section id={id} className={styles.card}>
      <h2 className={styles.title}>{title}</h2>
      <ol>
        {places.map((won) => (
          <li key={won.place} className={styles.place} value={won.place}>
            <Place place={won} />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** A deleted server keeps its name. */
function Place({ place: won }: { place: PodiumPlace }) {
  const { t } = useTranslation('hall-of-fame')
  const language = useLanguage()
  const name = decodeStored(won.name ?? won.server_name)
  return (
    <>
      <Medal place={won.place} label={t('place', { place: won.place })} />
      <ServerLogo src={won.logo_image_url} name={name} size={won.place === 1 ? 48 : 36} />
      <span className={styles.words}>
        {won.slug !== null ? (
          <Link to={paths.server(language, { slug: won.slug })} className={styles.name}>
            {name}
          </Link>
        ) : (
          <span className={styles.name}>{name}</span>
        )}
        <span className={styles.votes}>
          {t('votes', { count: won.votes, formatted: formatNumber(won.votes, language) })}
        </span>
      </span>
    </>
  )
}
