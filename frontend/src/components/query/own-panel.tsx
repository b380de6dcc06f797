import type { UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Button } from '@/components/ui/button'
import { QueryStates } from '@/components/query/query-states'
import { Panel, PanelEmpty, PanelList, PanelLoading } from '@/components/ui/panel'

/** Longer lists show only so many rows at first. */
const FIRST = 5

interface OwnPanelProps<Row> {
  title: string
  intro: string
  query: UseQueryResult<Row[]>
  unreadable: string
  empty: string
  /** What to do when the list is empty. */
  next?: ReactNode
  actions?: ReactNode
  children: (row: Row) => ReactNode
}

/** A list of a person's own rows, in the four states of a query. */
export function OwnPanel<Row>({ title, intro, query, unreadable, empty, next, actions, children }: OwnPanelProps<Row>) {
  const { t } = useTranslation('ui')
  const [isWhole, setWhole] = useState(false)
  const rows = query.data ?? []
  const visibleRows = isWhole ? rows : rows.slice(0, FIRST)
  const more = visibleRows.length < rows.length && (
    <Button variant="quiet" icon="chevron-down" onClick={() => setWhole(true)}>
      {t('showAll', { count: rows.length })}
    </Button>
  )
  return (
    <Panel
      title={title}
      intro={intro}
      actions={
        rows.length > 0 &&
        (more || actions) && (
          <>
            {more}
            {actions}
          </>
        )
      }
    >
      <QueryStates
        query={query}
        loading={<PanelLoading />}
        failed={unreadable}
        empty={<PanelEmpty action={next}>{empty}</PanelEmpty>}
      >
        {() => <PanelList label={title}>{visibleRows.map(children)}</PanelList>}
      </QueryStates>
    </Panel>
  )
}
