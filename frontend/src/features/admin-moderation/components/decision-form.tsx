import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n/i18n'
import { decideCaseMutation, undoDecisionMutation } from '../api/decide-case'
import { decisionsOf, needsWords, type CaseFile, type Decision } from '../model/case'
import { DecisionDialog } from './decision-dialog'
import { useShortcuts } from './use-shortcuts'
import styles from '../admin-moderation.module.css'

interface DecisionFormProps {
  file: CaseFile
  onDecided: () => void
}

/**
 * The possible decisions of the case, with their number keys; for a decided case, the button that
 * reverses it.
 */
export function DecisionForm({ file, onDecided }: DecisionFormProps) {
  const { t } = useTranslation('admin-moderation')
  const decide = useMutation(decideCaseMutation())
  const undo = useMutation(undoDecisionMutation())
  const [asking, setAsking] = useState<Decision | null>(null)
  const { id, label, decision } = file.case
  const isBusy = decide.isPending
  const actions = useMemo(() => {
    if (decision !== null || isBusy) return {}
    const choose = (one: Decision) => () =>
      needsWords(one) ? setAsking(one) : decide.mutate({ id, label, decision: one }, { onSuccess: onDecided })
    return Object.fromEntries(decisionsOf(file.case).map((one, place) => [String(place + 1), choose(one)]))
  }, [decide, decision, file.case, id, isBusy, label, onDecided])
  useShortcuts(actions)
  if (decision !== null) {
    const canUndo = file.case.taken_back_at === null && decision !== 'settled' && file.case.kind !== 'appeal'
    return canUndo ? (
      <div className={styles.deciding}>
        <Button icon="refresh" busy={undo.isPending} onClick={() => undo.mutate({ id, label })}>
          {t('undo')}
        </Button>
      </div>
    ) : null
  }
  return (
    <div className={styles.deciding} role="group" aria-label={t('decide')}>
      {decisionsOf(file.case).map((one, place) => (
        <Button
          key={one}
          variant={place === 0 ? 'primary' : 'secondary'}
          busy={isBusy && decide.variables.decision === one}
          aria-keyshortcuts={String(place + 1)}
          onClick={() => actions[String(place + 1)]?.()}
        >
          {t(`act.${one}`)} <kbd className={styles.key}>{place + 1}</kbd>
        </Button>
      ))}
      {asking !== null && (
        <DecisionDialog
          file={file}
          decision={asking}
          onClose={() => setAsking(null)}
          onDecided={() => {
            setAsking(null)
            onDecided()
          }}
        />
      )}
    </div>
  )
}
