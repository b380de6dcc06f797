import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { Button, ButtonLink } from '@/components/ui/button'
import { Icon, type IconName } from '@/components/ui/icon'
import { useNow } from '@/components/ui/use-now'
import { formatNumber } from '@/lib/i18n/format'
import { paths } from '@/lib/routing/paths'
import { openPrestigeDialog } from '@/entities/prestige/dialog'
import { siteToday } from '@/lib/time/site-day'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { ownerFiguresQuery } from '../api/owner-figures'
import type { ServerDetail } from '../api/server'
import { figuresOf, STEPS } from '../model/owner-figures'
import { Gap } from './gap'
import styles from './owner-bar.module.css'

const ICONS = { clicks: 'eye', copies: 'copy', votes: 'heart' } as const satisfies Record<string, IconName>

/**
 * A summary for the owner on the public page: the place and the gap to the next, visits, copies of
 * the address and votes, and links to edit. Loaded for owners only.
 */
export function OwnerBar({ server }: { server: ServerDetail }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const today = siteToday(useNow(60_000))
  const { data } = useQuery(ownerFiguresQuery(server.id))
  const unanswered = data?.unanswered ?? 0
  return (
    <section className={styles.bar} aria-label={t('owner.title')}>
      <div className={styles.words}>
        <p className={styles.title}>
          <Icon name="server" size={18} />
          {t('owner.title')}
        </p>
        <p className={styles.place}>
          <strong>
            {t('vote.place', { rank: formatNumber(server.game_rank, language), game: server.games.name })}
          </strong>{' '}
          <Gap serverId={server.id} />
        </p>
      </div>
      <dl className={styles.figures} aria-busy={data === undefined}>
        {STEPS.map((step) => {
          const figures = figuresOf(data?.days ?? [], step, today)
          return (
            <div key={step} className={styles.figure}>
              <dt>
                <Icon name={ICONS[step]} size={16} />
                {t(`owner.${step}`)}
              </dt>
              <dd className={styles.today}>
                {data ? formatNumber(figures.today, language) : '–'} <span>{t('owner.today')}</span>
              </dd>
              <dd className={styles.week}>
                {t('owner.week', { formatted: data ? formatNumber(figures.all, language) : '–' })}
              </dd>
            </div>
          )
        })}
      </dl>
      <div className={styles.actions}>
        {unanswered > 0 && (
          <ButtonLink size="small" icon="star" to="#reviews">
            {t('owner.unanswered', { count: unanswered, formatted: formatNumber(unanswered, language) })}
          </ButtonLink>
        )}
        <Button
          size="small"
          icon="crown"
          aria-haspopup="dialog"
          onClick={() => openPrestigeDialog({ id: server.id, name: decodeStored(server.name) })}
        >
          {t(server.is_prestige ? 'owner.extend' : 'owner.promote')}
        </Button>
        <ButtonLink size="small" icon="edit" to={paths.editServer(language, { serverId: server.id })}>
          {t('owner.manage')}
        </ButtonLink>
      </div>
    </section>
  )
}
