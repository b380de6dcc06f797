import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { Link } from '@/components/ui/link'
import { NotFoundState } from '@/components/layout/not-found-state'
import { QueryStates } from '@/components/query/query-states'
import { ButtonLink } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { PageHeader } from '@/components/ui/page-header'
import { ServerLogo } from '@/components/ui/server-logo'
import { formatMonth } from '@/lib/i18n/format-month'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { useDocumentHead } from '@/lib/routing/use-document-head'
import { useHeadTexts } from '@/lib/routing/use-head-texts'
import { decodeStored } from '@/lib/text/stored-text'
import { gameQuery, type PodiumPlace } from './api/podiums'
import styles from './components/hall.module.css'
import { PodiumCard } from './components/podium-card'
import { Loading, NothingYet } from './hall-page'
import { championOf, grouped, type Champion } from './model/podiums'

/** The first three servers of a game, month by month. */
export function GameHallPage() {
  const { t } = useTranslation('hall-of-fame')
  const language = useLanguage()
  const { game: slug = '' } = useParams()
  const hall = useQuery(gameQuery(slug))
  return (
    <div className={styles.page}>
      <QueryStates query={hall} loading={<Loading />} failed={t('failed')} empty={<NoSuchGame />}>
        {({ game, places }) => (
          <>
            <Head game={game.name} />
            <PageHeader
              title={t('gameTitle', { game: game.name })}
              description={t('gameLead', { game: game.name })}
              above={
                <Link to={paths.hallOfFame(language)} className={styles.above}>
                  <Icon name="arrow-left" size={16} />
                  {t('allGames')}
                </Link>
              }
              actions={
                <ButtonLink icon="trophy" to={paths.gameOf(language, game)}>
                  {t('running')}
                </ButtonLink>
              }
            />
            <Months places={places} />
          </>
        )}
      </QueryStates>
    </div>
  )
}

function Head({ game }: { game: string }) {
  const t = useHeadTexts()
  useDocumentHead(t && { title: t('gameHall.title', { game }), description: t('gameHall.description', { game }) })
  return null
}

function Months({ places }: { places: readonly PodiumPlace[] }) {
  const language = useLanguage()
  const champion = championOf(places)
  if (places.length === 0) return <NothingYet />
  return (
    <>
      {champion && <ChampionRow champion={champion} />}
      <div className={styles.grid}>
        {grouped(places, ({ month }) => month).map(([month, won]) => (
          <PodiumCard
            key={month}
            id={month.slice(0, 7)}
            title={
              <Link to={paths.gameMonthArchive(language, { month: month.slice(0, 7), game: won[0]!.games.slug })}>
                {formatMonth(month, language)}
              </Link>
            }
            places={won}
          />
        ))}
      </div>
    </>
  )
}

function ChampionRow({ champion: { row, titles } }: { champion: Champion<PodiumPlace> }) {
  const { t } = useTranslation('hall-of-fame')
  const language = useLanguage()
  const name = decodeStored(row.name ?? row.server_name)
  return (
    <div className={styles.champion}>
      <ServerLogo src={row.logo_image_url} name={name} size={56} />
      <p>
        <strong>
          {row.slug === null ? name : <Link to={paths.server(language, { slug: row.slug })}>{name}</Link>}
        </strong>
        <span>{t('titles', { count: titles })}</span>
      </p>
    </div>
  )
}

function NoSuchGame() {
  const { t } = useTranslation('hall-of-fame')
  const to = paths.hallOfFame(useLanguage())
  return <NotFoundState title={t('missing')} link={{ to, icon: 'trophy', label: t('allGames') }} />
}
