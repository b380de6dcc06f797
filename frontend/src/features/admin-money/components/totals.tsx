import { useQuery } from '@tanstack/react-query'
import { QueryStates } from '@/components/query/query-states'
import { PanelLoading } from '@/components/ui/panel'
import { StatTile, StatTiles } from '@/components/ui/stat-tile'
import { formatNumber } from '@/lib/i18n/format'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { totalsQuery } from '../api/totals'
import type { Period } from '../model/period'

const CURRENCY = 'eur'

/** The revenue of the chosen days, and the refunds, paid and pending. */
export function Totals({ period }: { period: Period }) {
  const { t } = useTranslation('admin-money')
  const language = useLanguage()
  const totals = useQuery(totalsQuery(period))
  const money = (cents: number): string => formatAmount(cents, CURRENCY, language)
  return (
    <QueryStates query={totals} loading={<PanelLoading rows={1} />} failed={t('totals.failed')}>
      {(kinds) => {
        const sum = (of: (kind: (typeof kinds)[number]) => number): number =>
          kinds.reduce((total, kind) => total + of(kind), 0)
        const byKind = (of: (kind: (typeof kinds)[number]) => number): string =>
          kinds
            .map((kind) => `${t(kind.kind === 'arcade' ? 'kind.arcade' : 'kind.prestige')} ${money(of(kind))}`)
            .join(' · ')
        return (
          <StatTiles>
            <StatTile
              label={t('totals.taken')}
              value={money(sum((kind) => kind.taken_cents))}
              note={byKind((kind) => kind.taken_cents)}
            />
            <StatTile
              label={t('totals.kept')}
              value={money(sum((kind) => kind.taken_cents - kind.refunded_cents - kind.to_refund_cents))}
              note={t('totals.counted', {
                count: sum((kind) => kind.counted),
                formatted: formatNumber(
                  sum((kind) => kind.counted),
                  language,
                ),
              })}
            />
            <StatTile
              label={t('totals.refunded')}
              value={money(sum((kind) => kind.refunded_cents))}
              note={t('totals.toRefund', { amount: money(sum((kind) => kind.to_refund_cents)) })}
            />
            <StatTile
              label={t('totals.troubled')}
              value={formatNumber(
                sum((kind) => kind.troubled),
                language,
              )}
              note={t('totals.troubledNote')}
            />
          </StatTiles>
        )
      }}
    </QueryStates>
  )
}
