/** The page of a competitive event: its description, rules, current places and result. */
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { NotFoundState } from '@/components/layout/not-found-state'
import { QueryStates } from '@/components/query/query-states'
import { Badge } from '@/components/ui/badge'
import { ButtonLink } from '@/components/ui/button'
import { Sections } from '@/components/ui/crash-boundary'
import { PageHeader } from '@/components/ui/page-header'
import { PanelLoading } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { useNow } from '@/components/ui/use-now'
import { lazyComponent } from '@/lib/browser/lazy'
import { useTranslation } from '@/lib/i18n/i18n'
import { nameIn } from '@/lib/i18n/translated-name'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { cardOf } from '@/lib/routing/social-card'
import { useDocumentHead } from '@/lib/routing/use-document-head'
import { useHeadTexts } from '@/lib/routing/use-head-texts'
import { competitionQuery, type Competition } from './api/competition'
import styles from './components/competition.module.css'
import { ContestFacts } from './components/contest-facts'
import { StandingsTable } from './components/standings-table'
import { Result } from './components/result'
import { Rules } from './components/rules'
import { outcomeOf } from './model/result'

const Days = lazyComponent(async () => (await import('./components/days')).Days)

export function CompetitionPage({ id }: { id: string }) {
  const { t } = useTranslation('competition')
  const competition = useQuery(competitionQuery(id))
  return (
    <div className={styles.page}>
      <QueryStates query={competition} loading={<Loading />} failed={t('failed')} empty={<NoSuchEvent />}>
        {(found) => <CompetitionView {...found} />}
      </QueryStates>
    </div>
  )
}

function CompetitionView({ event, games, standings, days }: Competition) {
  const { t } = useTranslation('competition')
  const head = useHeadTexts()
  const language = useLanguage()
  const now = useNow(10_000)
  const outcome = outcomeOf(event, standings, now)
  const name = nameIn(event, language)
  const description = event[`description_${language}`] ?? event.description
  useDocumentHead(
    head && {
      title: head('competitiveEvent.title', { event: name }),
      description: description || head('competitiveEvent.description'),
      card: cardOf(language, 'event', event.id),
    },
  )
  return (
    <>
      <PageHeader
        title={name}
        description={description}
        above={
          <p className={styles.above}>
            {t('label')}
            <Badge tone={outcome.state === 'live' ? 'online' : 'plain'}>{t(`state.${outcome.state}`)}</Badge>
          </p>
        }
        actions={
          outcome.state === 'live' && (
            <ButtonLink variant="primary" icon="trophy" to={`${paths.home(language)}?sort=competitive`}>
              {t('vote')}
            </ButtonLink>
          )
        }
      />
      <Sections>
        {outcome.state === 'ended' && <Result event={event} standings={standings} outcome={outcome} />}
        <div className={styles.columns}>
          <StandingsTable standings={standings} state={outcome.state} />
          <div className={styles.aside}>
            <ContestFacts event={event} games={games} outcome={outcome} now={now} />
            <Rules event={event} />
          </div>
        </div>
        {days.length > 0 && (
          <Suspense fallback={<Skeleton height="26rem" radius="var(--radius-lg)" />}>
            <Days days={days} standings={standings} />
          </Suspense>
        )}
      </Sections>
    </>
  )
}

function Loading() {
  return (
    <>
      <Skeleton width="60%" height="3rem" />
      <PanelLoading rows={8} />
    </>
  )
}

function NoSuchEvent() {
  const { t } = useTranslation('competition')
  const to = paths.home(useLanguage())
  return <NotFoundState title={t('missing')} link={{ to, icon: 'trophy', label: t('toRanking') }} />
}
