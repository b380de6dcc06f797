import { useMutation, useQuery } from '@tanstack/react-query'
import { QueryStates } from '@/components/query/query-states'
import { StatusBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Panel, PanelEmpty, PanelLoading } from '@/components/ui/panel'
import { PanelFailure } from '@/components/ui/panel-failure'
import { useNow } from '@/components/ui/use-now'
import { formatRelative } from '@/lib/i18n/format-relative'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { useLanguage } from '@/lib/i18n/use-language'
import { deliveriesQuery, replayMutation, type Delivery } from '../api/deliveries'
import type { TabProps } from '../edit/use-edit-form'
import { useFaultWords } from '../model/use-fault-words'
import styles from '../components/receivers.module.css'

/** The log of deliveries with their results, and a button to send one again. */
export function DeliveriesSection({ server }: TabProps) {
  const { t } = useTranslation('integrations')
  const refusalText = useRefusal()
  const query = useQuery(deliveriesQuery(server.id))
  const replay = useMutation(replayMutation())
  const rows = query.data ?? []
  return (
    <Panel
      variant="boxed"
      title={t('log.title')}
      intro={t('log.intro')}
      actions={
        <>
          <Button size="small" busy={query.isFetching && !query.isPending} onClick={() => void query.refetch()}>
            {t('log.refresh')}
          </Button>
          {rows.some((row) => row.status === 'failed') && (
            <Button
              size="small"
              busy={replay.isPending}
              onClick={() => replay.mutate({ serverId: server.id, ids: null })}
            >
              {t('log.replayAll')}
            </Button>
          )}
        </>
      }
    >
      <QueryStates
        query={query}
        data={rows.length > 0 ? rows : query.data && null}
        loading={<PanelLoading rows={3} />}
        failed={(retry) => <PanelFailure text={refusalText(query.error)} onRetry={retry} />}
        empty={<PanelEmpty>{t('log.empty')}</PanelEmpty>}
      >
        {(lines) => (
          <ul className={styles.log}>
            {lines.map((line) => (
              <li key={line.id} className={styles.line}>
                <Line
                  line={line}
                  isBusy={replay.isPending}
                  onReplay={() => replay.mutate({ serverId: server.id, ids: [line.id] })}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryStates>
    </Panel>
  )
}

interface LineProps {
  line: Delivery
  /** A delivery is being sent again. */
  isBusy: boolean
  onReplay: () => void
}

function Line({ line, isBusy, onReplay }: LineProps) {
  const { t } = useTranslation('integrations')
  const language = useLanguage()
  const now = useNow(60_000)
  const faultWords = useFaultWords()
  const isTest = line.event !== 'vote.created'
  return (
    <details>
      <summary className={styles.summary}>
        <State line={line} />
        <span className={styles.who}>{isTest ? t('log.test') : nicknameOf(line.payload)}</span>
        <span className={styles.when}>
          {t(line.channel === 'votifier' ? 'votifier.title' : 'webhook.title')} ·{' '}
          {formatRelative(line.created_at, language, now)}
        </span>
      </summary>
      <div className={styles.details}>
        <p className={styles.hint}>
          {t('log.attempts', { count: line.attempts })}
          {line.status === 'pending' && line.attempts > 0 && (
            <> · {t('log.next', { when: formatRelative(line.next_attempt_at, language, now) })}</>
          )}
        </p>
        {line.fault !== null && <p>{faultWords(line.fault, line.answer_status)}</p>}
        {line.status === 'delivered' && line.is_confirmed === false && <p>{t('unconfirmedText')}</p>}
        {line.request !== null && <Raw title={t('log.request')} text={line.request} />}
        {line.answer !== null && (
          <Raw
            title={
              line.answer_status === null ? t('log.answer') : t('log.answerStatus', { status: line.answer_status })
            }
            text={line.answer || '–'}
          />
        )}
        {line.status !== 'pending' && !isTest && (
          <div>
            <Button size="small" busy={isBusy} onClick={onReplay}>
              {t('log.replay')}
            </Button>
          </div>
        )}
      </div>
    </details>
  )
}

function State({ line }: { line: Delivery }) {
  const { t } = useTranslation('integrations')
  if (line.status === 'failed') return <StatusBadge status="bad">{t('state.failed')}</StatusBadge>
  if (line.status === 'pending') return <StatusBadge status="waiting">{t('state.pending')}</StatusBadge>
  return line.is_confirmed === false ? (
    <StatusBadge status="waiting">{t('state.unconfirmed')}</StatusBadge>
  ) : (
    <StatusBadge status="good">{t('state.delivered')}</StatusBadge>
  )
}

function Raw({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <p className={styles.hint}>{title}</p>
      <pre className={styles.raw}>{text}</pre>
    </div>
  )
}

/** The voter's nickname in the delivered payload. */
function nicknameOf(payload: Delivery['payload']): string {
  const vote = payload !== null && typeof payload === 'object' && 'vote' in payload ? payload.vote : null
  const name =
    vote !== null && typeof vote === 'object' && vote !== undefined && 'nickname' in vote ? vote.nickname : null
  return typeof name === 'string' ? name : '–'
}
