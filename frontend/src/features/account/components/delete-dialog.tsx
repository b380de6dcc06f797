import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '@/lib/i18n'
import { useNavigate } from 'react-router'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { paths } from '@/lib/paths'
import { useLanguage } from '@/lib/use-language'
import { deleteAccountMutation } from '../api/delete-account'
import { useRefusal } from '../model/use-refusal'
import styles from './delete-dialog.module.css'

/** Asks for the person's own name, typed, before the account goes. */
export function DeleteDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const { t } = useTranslation(['account', 'ui'])
  const language = useLanguage()
  const navigate = useNavigate()
  const refusal = useRefusal()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const erase = useMutation(deleteAccountMutation())

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (typed.trim() !== username) return setProblem(t('danger.mismatch', { username }))
    if (erase.isPending) return
    erase.mutate(undefined, {
      onSuccess: () => navigate(paths.home(language), { replace: true }),
      onError: (cause) => setProblem(refusal.words(cause)),
    })
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('danger.confirmTitle')}
      description={t('danger.confirmText')}
    >
      <form className={styles.form} noValidate onSubmit={submit}>
        <TextField
          label={t('danger.type', { username })}
          name="confirmation"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-first-focus
          error={problem}
          value={typed}
          onChange={(event) => {
            setProblem(undefined)
            setTyped(event.target.value)
          }}
        />
        <div className={styles.buttons}>
          <Button onClick={onClose}>{t('ui:cancel')}</Button>
          <Button type="submit" look="danger" busy={erase.isPending}>
            {t('danger.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
