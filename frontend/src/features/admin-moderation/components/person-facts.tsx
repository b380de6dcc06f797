import { Link } from '@/components/ui/link'
import { Badge, StatusBadge } from '@/components/ui/badge'
import { KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { formatDate, formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { decisionOf, type Person } from '../model/case'
import styles from '../admin-moderation.module.css'

/** The person behind the case: earlier sanctions, and accounts that share an address. */
export function PersonFacts({ person }: { person: Person }) {
  const { t } = useTranslation('admin-moderation')
  const language = useLanguage()
  const here = (username: string): string => `${paths.adminUsers(language)}?${new URLSearchParams({ name: username })}`
  return (
    <Panel
      variant="boxed"
      title={<Link to={here(person.username)}>{person.username}</Link>}
      aside={person.is_banned && <StatusBadge status="bad">{t('banned')}</StatusBadge>}
    >
      <KeyValues
        facts={[
          { name: t('since'), value: formatDate(person.created_at, language) },
          { name: t('servers'), value: formatNumber(person.servers, language) },
          { name: t('reviews'), value: formatNumber(person.reviews, language) },
          { name: t('votes'), value: formatNumber(person.total_votes, language) },
        ]}
      />
      <h3 className={styles.small}>{t('warnings', { count: person.warnings.length })}</h3>
      {person.warnings.length > 0 && (
        <ul className={styles.list}>
          {person.warnings.map((warning) => (
            <li key={warning.id}>
              {warning.reason}{' '}
              <span className={styles.note}>
                {formatDate(warning.created_at, language)}
                {!warning.is_active && ` · ${t('ended')}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {person.decisions.length > 0 && (
        <>
          <h3 className={styles.small}>{t('earlier')}</h3>
          <ul className={styles.list}>
            {person.decisions.map((one) => (
              <li key={one.id}>
                {decodeStored(one.label)} · {t(`decided.${decisionOf(one.decision)}`)}{' '}
                <span className={styles.note}>
                  {one.decided_at !== null && formatDate(one.decided_at, language)}
                  {one.taken_back_at !== null && ` · ${t('takenBack')}`}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {person.same_address.length > 0 && (
        <>
          <h3 className={styles.small}>{t('sameAddress')}</h3>
          <p className={styles.accounts}>
            {person.same_address.map((other) => (
              <Link key={other.id} to={here(other.username)}>
                <Badge tone={other.is_banned ? 'danger' : 'plain'}>{other.username}</Badge>
              </Link>
            ))}
          </p>
        </>
      )}
    </Panel>
  )
}
