import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { Icon, type IconName } from '@/components/ui/icon'
import { Panel } from '@/components/ui/panel'
import { formatNumber } from '@/lib/i18n/format'
import { formatRelative } from '@/lib/i18n/format-relative'
import { useTranslation } from '@/lib/i18n/i18n'
import { siteToday } from '@/lib/time/site-day'
import { useLanguage } from '@/lib/i18n/use-language'
import { reasonWords } from '@/entities/vote/reasons'
import {
  addressOfFailing,
  addressOfAnomaly,
  type FailureFinding,
  type AnomalyKind,
  type AnomalyFinding,
} from '../model/overview'
import styles from './notices.module.css'

const ICONS = {
  refused: 'shield',
  votes: 'flame',
  server: 'flame',
  accounts: 'users',
  servers: 'server',
  reports: 'flag',
  undelivered: 'link',
} as const satisfies Record<AnomalyKind, IconName>

/** Notices about failures. */
export function FailureNotices({ failures }: { failures: readonly FailureFinding[] }) {
  const { t } = useTranslation('admin-overview')
  const language = useLanguage()
  return (
    <Panel variant="boxed" title={t('fails.title')}>
      <Notices emptyText={t('fails.none')}>
        {failures.map((failing) => {
          const { what: kind, amount, since, server } = failing
          return (
            <Notice
              key={`${kind} ${server?.id}`}
              icon="warning"
              variant="bad"
              to={addressOfFailing(failing, language)}
              title={t(`fails.${kind}.title`, { name: server?.name ?? '–', formatted: formatNumber(amount, language) })}
              text={t(`fails.${kind}.text`, { when: since === null ? '–' : formatRelative(since, language) })}
            />
          )
        })}
      </Notices>
    </Panel>
  )
}

/** Notices about figures that are far higher today than on a usual day. */
export function AnomalyNotices({ anomalies }: { anomalies: readonly AnomalyFinding[] }) {
  const { t } = useTranslation(['admin-overview', 'vote-outcomes'])
  const language = useLanguage()
  return (
    <Panel variant="boxed" title={t('admin-overview:odd.title')} intro={t('admin-overview:odd.intro')}>
      <Notices emptyText={t('admin-overview:odd.none')}>
        {anomalies.map((oddity) => {
          const { what: kind, part, amount, usual, server } = oddity
          const of = kind === 'refused' ? t(`vote-outcomes:reason.${reasonWords(part)}`) : (server?.name ?? part)
          return (
            <Notice
              key={`${kind} ${part} ${server?.id}`}
              icon={ICONS[kind]}
              variant="odd"
              to={addressOfAnomaly(oddity, siteToday(), language)}
              title={t(`admin-overview:odd.${kind}`, { of })}
              text={t('admin-overview:odd.against', {
                formatted: formatNumber(amount, language),
                usual: formatNumber(usual, language),
              })}
            />
          )
        })}
      </Notices>
    </Panel>
  )
}

function Notices({ emptyText, children }: { emptyText: string; children: ReactNode[] }) {
  if (children.length > 0) return <ul className={styles.list}>{children}</ul>
  return (
    <p className={styles.none}>
      <Icon name="check" size={18} />
      {emptyText}
    </p>
  )
}

interface NoticeProps {
  icon: IconName
  variant: 'bad' | 'odd'
  to: string | null
  title: string
  text: string
}

function Notice({ icon, variant, to, title, text }: NoticeProps) {
  return (
    <li className={styles.notice}>
      <span className={`${styles.mark} ${styles[variant]}`}>
        <Icon name={icon} size={18} />
      </span>
      <div className={styles.words}>
        {to === null ? (
          <span className={styles.name}>{title}</span>
        ) : (
          <Link to={to} className={`${styles.name} ${styles.link}`}>
            {title}
          </Link>
        )}
        <span className={styles.text}>{text}</span>
      </div>
      {to !== null && <Icon name="chevron-right" size={18} />}
    </li>
  )
}
