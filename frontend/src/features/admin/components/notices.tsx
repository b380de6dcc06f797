import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Icon, type IconName } from '@/components/ui/icon'
import { Panel } from '@/components/ui/panel'
import { formatNumber, formatRelative } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { siteToday } from '@/lib/time/site-day'
import { useLanguage } from '@/lib/i18n/use-language'
import { reasonWords } from '@/entities/vote/reasons'
import { addressOfFailing, addressOfOddity, type Failing, type Odd as OddKind, type Oddity } from '../model/overview'
import styles from './notices.module.css'

const ICONS = {
  refused: 'shield',
  votes: 'flame',
  server: 'flame',
  accounts: 'users',
  servers: 'server',
  reports: 'flag',
  undelivered: 'link',
} as const satisfies Record<OddKind, IconName>

/** What does not go as it should. */
export function Fails({ fails }: { fails: readonly Failing[] }) {
  const { t } = useTranslation('admin-overview')
  const language = useLanguage()
  return (
    <Panel look="boxed" title={t('fails.title')}>
      <Notices none={t('fails.none')}>
        {fails.map((failing) => {
          const { what, amount, since, server } = failing
          return (
            <Notice
              key={`${what} ${server?.id}`}
              icon="warning"
              look="bad"
              to={addressOfFailing(failing, language)}
              title={t(`fails.${what}.title`, { name: server?.name ?? '–', formatted: formatNumber(amount, language) })}
              text={t(`fails.${what}.text`, { when: since === null ? '–' : formatRelative(since, language) })}
            />
          )
        })}
      </Notices>
    </Panel>
  )
}

/** What today has far more of than a day usually has. */
export function Odd({ odd }: { odd: readonly Oddity[] }) {
  const { t } = useTranslation(['admin-overview', 'vote-outcomes'])
  const language = useLanguage()
  return (
    <Panel look="boxed" title={t('admin-overview:odd.title')} intro={t('admin-overview:odd.intro')}>
      <Notices none={t('admin-overview:odd.none')}>
        {odd.map((oddity) => {
          const { what, part, amount, usual, server } = oddity
          const of = what === 'refused' ? t(`vote-outcomes:reason.${reasonWords(part)}`) : (server?.name ?? part)
          return (
            <Notice
              key={`${what} ${part} ${server?.id}`}
              icon={ICONS[what]}
              look="odd"
              to={addressOfOddity(oddity, siteToday(), language)}
              title={t(`admin-overview:odd.${what}`, { of })}
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

function Notices({ none, children }: { none: string; children: ReactNode[] }) {
  if (children.length > 0) return <ul className={styles.list}>{children}</ul>
  return (
    <p className={styles.none}>
      <Icon name="check" size={18} />
      {none}
    </p>
  )
}

interface NoticeProps {
  icon: IconName
  look: 'bad' | 'odd'
  to: string | null
  title: string
  text: string
}

function Notice({ icon, look, to, title, text }: NoticeProps) {
  return (
    <li className={styles.notice}>
      <span className={`${styles.mark} ${styles[look]}`}>
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
