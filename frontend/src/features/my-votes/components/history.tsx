import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@/components/ui/link'
import { QueryStates } from '@/components/query/query-states'
import { Button } from '@/components/ui/button'
import { Panel, PanelEmpty, PanelLoading } from '@/components/ui/panel'
import { ServerLogo } from '@/components/ui/server-logo'
import { formatDate, formatTime, formatWeekday } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { historyQuery, type OwnVote } from '../api/history'
import { byDay } from '../model/due'
import styles from './history.module.css'

/** Every vote, grouped by day, the newest first. */
export function History({ userId }: { userId: string }) {
  const { t } = useTranslation('my-votes')
  const language = useLanguage()
  const history = useInfiniteQuery(historyQuery(userId))
  const votes = history.data?.pages.flatMap((page) => page.votes)
  return (
    <Panel variant="boxed" title={t('history.title')} intro={t('history.intro')}>
      <QueryStates
        query={history}
        data={votes}
        loading={<PanelLoading rows={4} />}
        failed={t('history.failed')}
        empty={<PanelEmpty>{t('history.empty')}</PanelEmpty>}
      >
        {(all) => (
          <>
            {byDay(all, (moment) => formatDate(moment, language)).map(({ day, votes: ofDay }) => (
              <section key={day} className={styles.day}>
                <h3 className={styles.date}>
                  {formatWeekday(ofDay[0]!.voted_at, language)} {day}
                </h3>
                <ul className={styles.votes}>
                  {ofDay.map((vote) => (
                    <Vote key={vote.id} vote={vote} />
                  ))}
                </ul>
              </section>
            ))}
            {history.hasNextPage && (
              <Button
                icon="chevron-down"
                busy={history.isFetchingNextPage}
                className={styles.more}
                onClick={() => void history.fetchNextPage()}
              >
                {t('history.more')}
              </Button>
            )}
          </>
        )}
      </QueryStates>
    </Panel>
  )
}

function Vote({ vote }: { vote: OwnVote }) {
  const { t } = useTranslation('my-votes')
  const language = useLanguage()
  const name = vote.server === null ? t('history.gone') : decodeStored(vote.server.name)
  return (
    <li className={styles.vote}>
      <time className={styles.time} dateTime={vote.voted_at}>
        {formatTime(vote.voted_at, language)}
      </time>
      <ServerLogo src={vote.server?.logo_image_url} name={name} size={28} />
      <p className={styles.words}>
        {vote.server === null ? (
          <span className={styles.gone}>{name}</span>
        ) : (
          <Link to={paths.server(language, vote.server)} className={styles.name}>
            {name}
          </Link>
        )}
        <span className={styles.nickname}>{t('history.as', { nickname: vote.nickname })}</span>
      </p>
    </li>
  )
}
