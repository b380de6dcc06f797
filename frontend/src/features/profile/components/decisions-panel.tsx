import { useQuery } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import { QueryStates } from '@/components/query/query-states'
import { StatusBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Facts, Panel, PanelList, PanelRow } from '@/components/ui/panel'
import { PanelFailure } from '@/components/ui/panel-failure'
import { useNow } from '@/components/ui/use-now'
import { formatDate } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { reasonOf } from '@/entities/moderation/rules'
import { lazyComponent } from '@/lib/browser/lazy'
import { useLanguage } from '@/lib/i18n/use-language'
import { decisionsQuery, type Decision } from '../api/decisions'
import { appealState, decisionWord } from '../model/decision'
import styles from './decisions-panel.module.css'

/** Loaded lazily: only people who appeal need the form and its dialog. */
const AppealDialog = lazyComponent(async () => (await import('./appeal-dialog')).AppealDialog)

const STATUS = { waiting: 'waiting', upheld: 'off', overturned: 'good' } as const

/** Moderators' decisions about the person, with a button to appeal. Not shown if there are none. */
export function DecisionsPanel() {
  const { t } = useTranslation('decisions')
  const decisions = useQuery(decisionsQuery())
  const now = useNow(60_000)
  const [objected, setObjected] = useState<Decision | null>(null)
  const inPanel = (content: ReactNode): ReactNode => (
    <Panel title={t('title')} intro={t('intro')}>
      {content}
    </Panel>
  )
  return (
    <>
      <QueryStates
        query={decisions}
        loading={null}
        failed={(retry) => inPanel(<PanelFailure text={t('unreadable')} onRetry={retry} />)}
      >
        {(known) =>
          inPanel(
            <PanelList label={t('title')}>
              {known.map((decision) => (
                <DecisionRow key={decision.id} decision={decision} now={now} onObject={() => setObjected(decision)} />
              ))}
            </PanelList>,
          )
        }
      </QueryStates>
      <Suspense>{objected && <AppealDialog decision={objected} onClose={() => setObjected(null)} />}</Suspense>
    </>
  )
}

function DecisionRow({ decision, now, onObject }: { decision: Decision; now: number; onObject: () => void }) {
  const { t } = useTranslation(['decisions', 'moderation'])
  const language = useLanguage()
  const state = appealState(decision, now)
  const word = t(`decided.${decisionWord(decision)}`)
  return (
    <PanelRow
      icon={<Icon name="shield" />}
      title={decision.label === null ? word : t('about', { label: decision.label, decision: word })}
      badge={
        decision.taken_back_at !== null && state !== 'overturned' ? (
          <StatusBadge status="good">{t('takenBack')}</StatusBadge>
        ) : (
          state in STATUS && (
            <StatusBadge status={STATUS[state as keyof typeof STATUS]}>{t(`appeal.${state as 'waiting'}`)}</StatusBadge>
          )
        )
      }
      details={
        <>
          <Facts
            facts={[
              t(`moderation:reasons.${reasonOf(decision.reason)}`),
              formatDate(decision.decided_at, language),
              decision.until && t('until', { date: formatDate(decision.until, language) }),
            ]}
          />
          {decision.statement && <span className={styles.words}>{decision.statement}</span>}
          {decision.appeal_statement && (
            <span className={styles.words}>{t('answer', { text: decision.appeal_statement })}</span>
          )}
        </>
      }
      action={
        state === 'open' && (
          <Button size="small" aria-label={t('objectTo', { name: decision.label ?? word })} onClick={onObject}>
            {t('object')}
          </Button>
        )
      }
    />
  )
}
