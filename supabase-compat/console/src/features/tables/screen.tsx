/** The list of tables, and the one that is chosen. */
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowLeft, IconPlus, IconTable } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { useMayChange } from '@/app/session'
import { catalogKeys, relationsQuery } from '@/postgres/relations'
import { ScreenFrame } from '@/ui/screen'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { RelationList } from './relation-list'
import { TableView } from './table-view'
import classes from './tables.module.css'

const SchemaPicture = lazy(() => import('./schema-picture').then((module) => ({ default: module.SchemaPicture })))
const RoutinesView = lazy(() => import('./routines-view').then((module) => ({ default: module.RoutinesView })))
const TableForm = lazy(() => import('./table-form').then((module) => ({ default: module.TableForm })))

export function Screen() {
  const { t } = useTranslation('tables')
  const { schema, table } = useParams()
  const [parameters] = useSearchParams()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const mayChange = useMayChange()
  const navigate = useNavigate()
  const client = useQueryClient()
  const relations = useQuery(relationsQuery)
  const [isCreating, setIsCreating] = useState(false)
  const isPicture = schema !== undefined && parameters.get('view') === 'picture'
  const isRoutines = schema !== undefined && table === undefined && parameters.get('view') === 'functions'
  const isOpen = table !== undefined || isPicture || isRoutines

  const list = relations.isPending ? (
    <SkeletonRows />
  ) : relations.isError ? (
    <ErrorState error={relations.error} onRetry={() => void relations.refetch()} />
  ) : (
    <RelationList relations={relations.data} schema={schema} table={table} />
  )
  return (
    <ScreenFrame
      isFull
      title={
        table ?? (isPicture ? t('picture.title', { schema }) : isRoutines ? t('routine.title', { schema }) : t('title'))
      }
      {...(table && schema ? { description: schema } : {})}
      actions={
        <>
          {isPhone && isOpen ? (
            <Button component={Link} to="/tables" variant="default" leftSection={<IconArrowLeft size={16} />}>
              {t('title')}
            </Button>
          ) : null}
          {mayChange && !isOpen ? (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
              {t('newTable')}
            </Button>
          ) : null}
        </>
      }
    >
      <div className={classes.layout}>
        {isPhone && isOpen ? null : (
          <nav className={classes.list} aria-label={t('title')}>
            {list}
          </nav>
        )}
        {isPhone && !isOpen ? null : (
          <div className={classes.view}>
            {table && schema ? (
              <TableView key={`${schema}.${table}`} schema={schema} name={table} />
            ) : isRoutines ? (
              <Suspense fallback={<SkeletonRows />}>
                <RoutinesView schema={schema} />
              </Suspense>
            ) : isPicture ? (
              <Suspense fallback={<SkeletonRows />}>
                <SchemaPicture schema={schema} />
              </Suspense>
            ) : (
              <EmptyState icon={IconTable} title={t('none.title')} text={t('none.text')} />
            )}
          </div>
        )}
      </div>
      {isCreating ? (
        <Suspense>
          <TableForm
            schema={schema ?? 'public'}
            onClose={() => setIsCreating(false)}
            onDone={(created) => {
              void client.invalidateQueries({ queryKey: catalogKeys.all })
              void navigate(
                `/tables/${encodeURIComponent(created.schema)}/${encodeURIComponent(created.name)}?view=structure`,
              )
            }}
          />
        </Suspense>
      ) : null}
    </ScreenFrame>
  )
}
