/** The moderators' page: the queue on one side, a case with its facts on the other. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Link } from '@/components/ui/link'
import { QueryStates } from '@/components/query/query-states'
import { ChoiceFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { Button } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { PageHeader } from '@/components/ui/page-header'
import { PanelEmpty, PanelLoading } from '@/components/ui/panel'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { decodeStored } from '@/lib/text/stored-text'
import styles from './admin-moderation.module.css'
import { caseFileQuery } from './api/case-file'
import { casesQuery, type QueuedCase } from './api/cases'
import { undoDecisionMutation } from './api/decide-case'
import { CaseView } from './components/case-view'
import { DecisionForm } from './components/decision-form'
import { Queue } from './components/queue'
import { useShortcuts } from './components/use-shortcuts'
import { decisionsOf, afterDeciding, KINDS, neighbourOf } from './model/case'

const SPEC = {
  sorts: ['opened_at'],
  sort: 'opened_at',
  filters: { kind: KINDS, state: ['decided'], name: 'text' },
} as const

export function ModerationPage() {
  const { t } = useTranslation(['admin-moderation', 'leads', 'pages'])
  const language = useLanguage()
  const table = useTableState(SPEC)
  const { kind, state, name } = table.state.filters
  const cases = useQuery(casesQuery({ kind, label: name, isDecided: state === 'decided' }))
  return (
    <div className={styles.page}>
      <PageHeader title={t('pages:adminModeration')} description={t('leads:adminModeration')} />
      <div className={styles.filters} role="search">
        <TextFilter table={table} name="name" label={t('admin-moderation:name')} />
        <ChoiceFilter
          table={table}
          name="kind"
          label={t('admin-moderation:kind')}
          all={t('admin-moderation:all')}
          choices={KINDS.map((value) => ({ value, label: t(`admin-moderation:kinds.${value}`) }))}
        />
        <ChoiceFilter
          table={table}
          name="state"
          label={t('admin-moderation:state')}
          all={t('admin-moderation:waiting')}
          choices={[{ value: 'decided', label: t('admin-moderation:alreadyDecided') }]}
        />
      </div>
      <QueryStates query={cases} loading={<PanelLoading rows={6} />} failed={t('admin-moderation:failed')}>
        {({ rows, count }) => (
          <>
            <p className={styles.note} aria-live="polite">
              {t(state === 'decided' ? 'admin-moderation:countDecided' : 'admin-moderation:count', {
                count,
                formatted: formatNumber(count, language),
              })}
            </p>
            <WorkQueue rows={rows} />
          </>
        )}
      </QueryStates>
    </div>
  )
}

function WorkQueue({ rows }: { rows: readonly QueuedCase[] }) {
  const { t } = useTranslation('admin-moderation')
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const [last, setLast] = useState<Pick<QueuedCase, 'id' | 'label'> | null>(null)
  const undo = useMutation(undoDecisionMutation())
  const caseParameter = params.get('case')
  const current = caseParameter ?? rows[0]?.id ?? null
  // As many number keys as buttons.
  const currentCase = rows.find(({ id }) => id === current)
  const most = currentCase === undefined ? 0 : decisionsOf({ kind: currentCase.kind, review_id: null }).length
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const linkTo = (id: string | null): string => {
    const next = new URLSearchParams(params)
    if (id === null) next.delete('case')
    else next.set('case', id)
    return `?${next}`
  }
  const go = (id: string | null): void => void navigate(linkTo(id), { replace: true })
  const step = (by: 1 | -1): void => {
    const next = current === null ? null : neighbourOf(ids, current, by)
    if (next !== null) go(next)
  }
  const takeBack = (): void => {
    if (last !== null && !undo.isPending) undo.mutate(last, { onSuccess: () => setLast(null) })
  }
  useShortcuts({ j: () => step(1), k: () => step(-1), z: takeBack })
  const decided = (one: Pick<QueuedCase, 'id' | 'label' | 'kind'>): void => {
    setLast(one.kind === 'appeal' ? null : one)
    go(afterDeciding(ids, one.id))
  }
  return (
    <>
      {last !== null && (
        <div className={styles.last} role="status">
          <span>{t('last', { label: decodeStored(last.label) })}</span>
          <Button size="small" icon="refresh" busy={undo.isPending} aria-keyshortcuts="z" onClick={takeBack}>
            {t('undo')} <kbd className={styles.key}>Z</kbd>
          </Button>
        </div>
      )}
      {current === null ? (
        <PanelEmpty framed>{t('nothing')}</PanelEmpty>
      ) : (
        <div className={classes(styles.desk, caseParameter !== null && styles.open)}>
          <div className={styles.side}>
            <Queue cases={rows} current={current} linkTo={linkTo} />
            <p className={styles.keys}>
              <kbd className={styles.key}>J</kbd> {t('keys.next')} <kbd className={styles.key}>K</kbd>{' '}
              {t('keys.previous')}{' '}
              {most > 0 && (
                <>
                  <kbd className={styles.key}>1</kbd>–<kbd className={styles.key}>{most}</kbd> {t('keys.decide')}{' '}
                </>
              )}
              <kbd className={styles.key}>Z</kbd> {t('keys.undo')}
            </p>
          </div>
          <div className={styles.main}>
            <Link className={styles.back} to={linkTo(null)}>
              {t('back')}
            </Link>
            <Case key={current} id={current} onDecided={decided} />
          </div>
        </div>
      )}
    </>
  )
}

function Case({ id, onDecided }: { id: string; onDecided: (one: Pick<QueuedCase, 'id' | 'label' | 'kind'>) => void }) {
  const { t } = useTranslation('admin-moderation')
  const file = useQuery(caseFileQuery(id))
  return (
    <QueryStates query={file} loading={<PanelLoading rows={5} />} failed={t('failedCase')}>
      {(data) => (
        <>
          <CaseView file={data} />
          <DecisionForm file={data} onDecided={() => onDecided(data.case)} />
        </>
      )}
    </QueryStates>
  )
}
