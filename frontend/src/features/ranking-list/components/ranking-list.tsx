import { useQuery } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useEffect, useMemo, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { QueryStates } from '@/components/query/query-states'
import { ButtonLink } from '@/components/ui/button'
import { FailedState } from '@/components/ui/failed-state'
import { Pagination } from '@/components/ui/pagination'
import { showToast } from '@/components/ui/toast-store'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { tagsQuery } from '@/entities/tag/queries'
import { isOffline } from '@/lib/api/errors'
import { lazyComponent } from '@/lib/browser/lazy'
import { useStore } from '@/lib/browser/store'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { heldMove } from '@/lib/live/held-move'
import { LIST_ID, showList } from '@/lib/routing/list-anchor'
import { paths } from '@/lib/routing/paths'
import { listQuery } from '../api/list'
import { PAGE_SIZE, changed, readListState, writeListState, type ListState } from '../model/list-state'
import { hasParts, partsOf } from '../model/parts'
import { ListParts } from './list-parts'
import { ListToolbar } from './list-toolbar'
import { LoadingCards } from './loading-cards'
import styles from './ranking-list.module.css'

interface RankingListProps {
  /** Slugs of the listed games; empty for all. */
  games: readonly string[]
  /** Shown below the third card, or below the empty state. */
  besides?: ReactNode
}

const EmptyList = lazyComponent(async () => (await import('./empty-list')).EmptyList)
const EventLink = lazyComponent(async () => (await import('./list-links')).EventLink)
const HallLink = lazyComponent(async () => (await import('./list-links')).HallLink)
const MovedNotice = lazyComponent(async () => (await import('./moved-notice')).MovedNotice)

/** The ranking with its controls. Its state is part of the address. */
export function RankingList({ games, besides }: RankingListProps) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const [query, setQuery] = useSearchParams()
  const state = useMemo(() => readListState(query), [query])
  const list = useQuery(listQuery(games, state))
  // Deferred, so that twenty-five cards are rendered in slices between which the page stays
  // responsive.
  const deferredData = useDeferredValue(list.data)
  const deferredList = {
    ...list,
    data: deferredData,
    isPending: list.isPending || (list.data !== undefined && deferredData === undefined),
  }
  // Tags are queried after the cards are drawn, so as not to delay them.
  const tags = useQuery({ ...tagsQuery(), enabled: deferredData !== undefined || list.isError })

  const showMove = useStore(heldMove)

  const parts = useMemo(() => (deferredData && hasParts(state) ? partsOf(deferredData) : null), [deferredData, state])

  // Without a running event the regular ranking is shown instead.
  const withoutEvent = list.data?.noEvent === true && !list.isPlaceholderData
  useEffect(() => {
    if (!withoutEvent) return
    setQuery(writeListState(changed(state, { sort: 'default' }), query), { replace: true })
    showToast({ title: t('noEvent.title'), description: t('noEvent.text') })
  }, [withoutEvent, state, query, setQuery, t])

  const show = (change: Partial<Omit<ListState, 'page'>>) => setQuery(writeListState(changed(state, change), query))
  const pageAddress = (page: number) => writeListState({ ...state, page }, query) || '?'

  return (
    <section id={LIST_ID} className={styles.list} aria-labelledby="server-list-title" aria-busy={list.isFetching}>
      <ListToolbar
        title={t('title')}
        count={list.data?.count ?? (list.isError ? null : undefined)}
        state={state}
        tags={tags}
        onChange={show}
      />
      <QueryStates
        query={deferredList}
        loading={
          <div role="status">
            <VisuallyHidden>{t('loading')}</VisuallyHidden>
            <LoadingCards />
          </div>
        }
        failed={(retry) => (
          <>
            <Failed offline={isOffline(list.error)} onRetry={retry} />
            {besides}
          </>
        )}
      >
        {(page) =>
          page.rows.length > 0 ? (
            <>
              {page.event && (
                <Suspense>
                  <EventLink event={page.event} />
                </Suspense>
              )}
              <ListParts
                page={page}
                parts={parts}
                games={games}
                state={state}
                besides={besides}
                stale={list.isPlaceholderData || page !== list.data}
              />
              <Pagination
                label={t('pages.label')}
                page={page.page}
                last={Math.ceil(page.count / PAGE_SIZE)}
                to={(turned) => ({ search: pageAddress(turned) })}
                onTurn={showList}
              />
              <Suspense fallback={null}>{games.length === 1 && <HallLink game={games[0]!} />}</Suspense>
              <ButtonLink to={paths.addServer(language)} icon="plus" className={styles.add}>
                {t('empty.add')}
              </ButtonLink>
            </>
          ) : (
            <>
              {!withoutEvent && (
                <Suspense fallback={null}>
                  <EmptyList state={state} onClear={show} />
                </Suspense>
              )}
              {besides}
            </>
          )
        }
      </QueryStates>
      <Suspense fallback={null}>{showMove && <MovedNotice onShow={showMove} />}</Suspense>
    </section>
  )
}

function Failed({ offline, onRetry }: { offline: boolean; onRetry: () => void }) {
  const { t } = useTranslation('ranking-list')
  return (
    <FailedState title={t('failed.title')} onRetry={onRetry}>
      {offline ? t('failed.offline') : t('failed.text')}
    </FailedState>
  )
}
