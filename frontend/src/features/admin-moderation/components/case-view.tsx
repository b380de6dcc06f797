/** A case with all facts that are needed to decide it. */
import { Link } from '@/components/ui/link'
import { Badge, StatusBadge } from '@/components/ui/badge'
import { KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { useNow } from '@/components/ui/use-now'
import { formatDate, formatTime } from '@/lib/i18n/format'
import { formatRelative } from '@/lib/i18n/format-relative'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { reasonOf } from '@/entities/moderation/rules'
import { useLanguage } from '@/lib/i18n/use-language'
import { decisionOf, kindOf, type CaseFile } from '../model/case'
import { reportReasonOf } from '../model/report'
import { PersonFacts } from './person-facts'
import { ServerTexts } from './server-texts'
import styles from '../admin-moderation.module.css'

export function CaseView({ file }: { file: CaseFile }) {
  const { t } = useTranslation('admin-moderation')
  const language = useLanguage()
  const { server, review, appealed, person } = file
  return (
    <div className={styles.case}>
      <header className={styles.caseHead}>
        <Badge tone="accent">{t(`kinds.${kindOf(file.case.kind)}`)}</Badge>
        <h2 className={styles.caseName}>
          {server === null ? (
            decodeStored(file.case.label)
          ) : (
            <Link to={paths.server(language, { slug: server.slug })}>{decodeStored(file.case.label)}</Link>
          )}
        </h2>
      </header>
      <Outcome file={file} />
      {file.case.message !== null && (
        <Panel variant="boxed" title={t('appeal')}>
          <p className={styles.words}>{file.case.message}</p>
          {appealed !== null && <AppealedDecision decision={appealed} />}
        </Panel>
      )}
      <Reports file={file} />
      {review !== null && (
        <Panel variant="boxed" title={t('review', { rating: review.rating })}>
          <p className={styles.words}>{decodeStored(review.comment ?? '')}</p>
          {review.is_hidden && <StatusBadge status="off">{t('decided.hidden')}</StatusBadge>}
        </Panel>
      )}
      {server !== null && <ServerTexts server={server} before={file.case.before} />}
      {person !== null && <PersonFacts person={person} />}
      <History file={file} />
    </div>
  )
}

/** The decision, its author, and whether it was reversed. */
function Outcome({ file }: { file: CaseFile }) {
  const { t } = useTranslation('admin-moderation')
  const language = useLanguage()
  const { decision, decided_at, decided_by_name, taken_back_at, statement } = file.case
  if (decision === null || decided_at === null) return null
  return (
    <div className={styles.outcome} role="status">
      <p>
        {t('decidedBy', {
          decision: t(`decided.${decisionOf(decision)}`),
          name: decided_by_name ?? t('nobody'),
          when: `${formatDate(decided_at, language)} ${formatTime(decided_at, language)}`,
        })}
        {taken_back_at !== null && ` · ${t('takenBack')}`}
      </p>
      {statement !== null && <p className={styles.note}>{statement}</p>}
    </div>
  )
}

function AppealedDecision({ decision: appealed }: { decision: NonNullable<CaseFile['appealed']> }) {
  const { t } = useTranslation(['admin-moderation', 'moderation'])
  return (
    <KeyValues
      facts={[
        { name: t('decision'), value: t(`decided.${decisionOf(appealed.decision)}`) },
        { name: t('by'), value: appealed.decided_by_name ?? t('nobody') },
        {
          name: t('reason'),
          value: appealed.reason === null ? '–' : t(`moderation:reasons.${reasonOf(appealed.reason)}`),
        },
        { name: t('statement'), value: appealed.statement ?? '–' },
      ]}
    />
  )
}

function Reports({ file }: { file: CaseFile }) {
  const { t } = useTranslation(['admin-moderation', 'report'])
  const language = useLanguage()
  const now = useNow(60_000)
  if (file.reports.length === 0) return null
  return (
    <Panel variant="boxed" title={t('admin-moderation:reports', { count: file.reports.length })}>
      <ul className={styles.list}>
        {file.reports.map((report) => (
          <li key={report.id}>
            <strong>{t(`report:reason.${reportReasonOf(report.reason)}`)}</strong>{' '}
            <span className={styles.note}>
              {report.reporter ?? report.notice?.name ?? t('admin-moderation:nobody')} ·{' '}
              <time dateTime={report.created_at} data-tooltip={formatDate(report.created_at, language)}>
                {formatRelative(report.created_at, language, now)}
              </time>
            </span>
            {report.notice === null ? (
              report.custom_reason !== null && <p className={styles.words}>{decodeStored(report.custom_reason)}</p>
            ) : (
              <>
                <p className={styles.words}>{report.notice.explanation}</p>
                <p className={styles.note}>{t('admin-moderation:notice', { email: report.notice.email })}</p>
              </>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const ACTIONS = ['created', 'changed', 'deleted', 'voided'] as const

/** Earlier actions of administrators and moderators on the server. */
function History({ file }: { file: CaseFile }) {
  const { t } = useTranslation('admin-moderation')
  const language = useLanguage()
  if (file.history.length === 0) return null
  return (
    <Panel variant="boxed" title={t('history')}>
      <ul className={styles.list}>
        {file.history.map((entry) => (
          <li key={entry.id}>
            {t(`actions.${ACTIONS.find((one) => one === entry.action) ?? 'changed'}`)} ·{' '}
            <code>{entry.subject_kind}</code>{' '}
            <span className={styles.note}>
              {entry.actor_name ?? t('nobody')} · {formatDate(entry.created_at, language)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
