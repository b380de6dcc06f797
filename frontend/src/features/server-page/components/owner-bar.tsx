import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n'
import { ButtonLink } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { formatNumber } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useLanguage } from '@/lib/use-language'
import type { ServerDetail } from '../api/server'
import { statsQuery } from '../api/stats'
import styles from './owner-bar.module.css'

/** What an owner looks for first on the own page: today's votes and visits, and the way to what can be changed. */
export function OwnerBar({ server }: { server: ServerDetail }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const { data } = useQuery(statsQuery(server.id))
  const figure = (value: number) => ({ count: value, formatted: formatNumber(value, language) })
  return (
    <section className={styles.bar} aria-label={t('owner.title')}>
      <p className={styles.title}>
        <Icon name="server" size={18} />
        {t('owner.title')}
      </p>
      <ul className={styles.figures}>
        <li>{t('owner.votesToday', figure(data?.votes_today ?? server.daily_votes))}</li>
        <li>{t('owner.visitsToday', figure(data?.clicks_today ?? 0))}</li>
        <li>{t('owner.visits', figure(data?.total_clicks ?? server.clicks))}</li>
      </ul>
      <ButtonLink size="small" icon="user" to={paths.profile(language)}>
        {t('owner.manage')}
      </ButtonLink>
    </section>
  )
}
