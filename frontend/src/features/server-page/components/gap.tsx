import { useQuery } from '@tanstack/react-query'
import { Link } from '@/components/ui/link'
import { useTranslation } from '@/lib/i18n/i18n'
import { Sentence } from '@/components/ui/sentence'
import { formatNumber } from '@/lib/i18n/format'
import { paths } from '@/lib/routing/paths'
import { neighboursQuery } from '@/entities/server/neighbours'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './gap.module.css'

/**
 * The votes to the next server of the game, or the lead over the one behind. Its line is reserved
 * while loading.
 */
export function Gap({ serverId }: { serverId: string }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const { data } = useQuery(neighboursQuery(serverId))
  const other = data?.ahead ?? data?.behind
  if (!data || !other) return <span className={styles.gap} />
  const gap = Math.abs(other.monthly_votes - data.self.monthly_votes)
  const side = gap === 0 ? 'even' : data.ahead ? 'behind' : 'ahead'
  return (
    <span className={styles.gap}>
      <Sentence
        text={t(`gap.${side}`, {
          count: gap,
          formatted: formatNumber(gap, language),
          server: decodeStored(other.name),
        })}
        part={(name) => (
          <Link to={paths.server(language, other)} className={styles.link}>
            {name}
          </Link>
        )}
      />
    </span>
  )
}
