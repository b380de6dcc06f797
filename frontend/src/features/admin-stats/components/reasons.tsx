import { Panel, PanelEmpty } from '@/components/ui/panel'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import type { ReasonTotal } from '../model/figures'
import styles from '../admin-stats.module.css'

/** Why votes did not count, the most frequent reason first. */
export function Reasons({ reasons }: { reasons: readonly ReasonTotal[] }) {
  const { t } = useTranslation(['admin-stats', 'vote-outcomes'])
  const language = useLanguage()
  return (
    <Panel variant="boxed" title={t('admin-stats:reasons.title')}>
      {reasons.length === 0 ? (
        <PanelEmpty>{t('admin-stats:reasons.none')}</PanelEmpty>
      ) : (
        <table className={styles.table} aria-label={t('admin-stats:reasons.title')}>
          <thead>
            <tr>
              <th scope="col">{t('admin-stats:reasons.reason')}</th>
              <th scope="col">{t('admin-stats:reasons.votes')}</th>
            </tr>
          </thead>
          <tbody>
            {reasons.map(({ words, kind, total }) => (
              <tr key={`${kind} ${words}`}>
                <th scope="row">
                  {t(`vote-outcomes:reason.${words}`)}
                  {kind === 'voided' && words === 'other' && ` ${t('admin-stats:reasons.voided')}`}
                </th>
                <td>{formatNumber(total, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
