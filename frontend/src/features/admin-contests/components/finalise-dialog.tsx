/** Finalizes an event: what will happen, then the result. */
import { useMutation } from '@tanstack/react-query'
import { Button, ButtonLink } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { KeyValues } from '@/components/ui/key-values'
import { formatNumber, formatUnit } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { finaliseMutation, type Contest } from '../api/contests'
import styles from '../admin-contests.module.css'

export function FinaliseDialog({ contest, onClose }: { contest: Contest; onClose: () => void }) {
  const { t } = useTranslation(['admin-contests', 'ui'])
  const language = useLanguage()
  const finalise = useMutation(finaliseMutation())
  const result = finalise.data
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !finalise.isPending && onClose()}
      title={t('admin-contests:finalise.title', { name: contest.name })}
      description={
        result
          ? undefined
          : t('admin-contests:finalise.intro', {
              count: contest.winner_count,
              days: formatUnit(contest.prestige_days, 'day', language),
              target: formatNumber(contest.target_votes, language),
            })
      }
    >
      {result && (
        <div role="status">
          <KeyValues
            facts={[
              {
                name: t('admin-contests:finalise.success'),
                value: t(result.isSuccess ? 'admin-contests:finalise.reached' : 'admin-contests:finalise.missed'),
              },
              { name: t('admin-contests:finalise.votes'), value: formatNumber(result.votes, language) },
              { name: t('admin-contests:finalise.rewarded'), value: formatNumber(result.rewarded, language) },
            ]}
          />
        </div>
      )}
      <div className={styles.buttons}>
        {result ? (
          <ButtonLink variant="primary" to={paths.competitiveEvent(language, { eventId: contest.id })}>
            {t('admin-contests:open')}
          </ButtonLink>
        ) : (
          <>
            <Button onClick={onClose}>{t('ui:cancel')}</Button>
            <Button variant="primary" busy={finalise.isPending} onClick={() => finalise.mutate(contest.id)}>
              {t('admin-contests:finalise.confirm')}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  )
}
