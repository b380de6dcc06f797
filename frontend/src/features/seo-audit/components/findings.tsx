import { StatusBadge } from '@/components/ui/badge'
import { useTranslation } from '@/lib/i18n/i18n'
import type { Finding, State } from '../model/audit'
import styles from './audit.module.css'

const STATUS = { error: 'bad', warning: 'waiting', fine: 'good' } as const

/** The state of a page or rule, as a badge. */
export function StateBadge({ state, children }: { state: State; children?: string }) {
  const { t } = useTranslation('seo-audit')
  return <StatusBadge status={STATUS[state]}>{children ?? t(`state.${state}`)}</StatusBadge>
}

/** Each broken rule: what it requires, and what was found. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const { t } = useTranslation('seo-audit')
  return (
    <ul className={styles.findings}>
      {findings.map(({ rule, severity, found, wanted }) => (
        <li key={rule} className={styles.finding}>
          <p className={styles.rule}>
            <strong>{t(`rules.${rule}.name`)}</strong>
            <StateBadge state={severity} />
          </p>
          <p className={styles.wants}>{t(`rules.${rule}.wants`)}</p>
          <dl className={styles.sides}>
            <Side name={t('found')} value={found} />
            <Side name={t('wanted')} value={wanted} />
          </dl>
        </li>
      ))}
    </ul>
  )
}

function Side({ name, value }: { name: string; value: string }) {
  const { t } = useTranslation('seo-audit')
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value === '' ? <i>{t('nothing')}</i> : <code>{value}</code>}</dd>
    </div>
  )
}
