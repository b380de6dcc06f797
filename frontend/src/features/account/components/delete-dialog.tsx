import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as v from 'valibot'
import { useTranslation } from '@/lib/i18n/i18n'
import { useNavigate } from 'react-router'
import { Form } from '@/components/form/form'
import { Submit } from '@/components/form/submit'
import { TextField } from '@/components/form/text-field'
import { useForm } from '@/components/form/use-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { deleteAccountMutation } from '../api/delete-account'
import { useRefusal } from '@/lib/i18n/refusal'
import { ACCOUNT_REFUSALS } from '../model/refusals'

interface DeleteDialogProps {
  username: string
  onClose: () => void
}

/** Asks for the person's own username before the account is deleted. */
export function DeleteDialog({ username, onClose }: DeleteDialogProps) {
  const { t } = useTranslation('account')
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('danger.confirmTitle')}
      description={t('danger.confirmText')}
    >
      <DeleteForm username={username} onClose={onClose} />
    </Dialog>
  )
}

function DeleteForm({ username, onClose }: DeleteDialogProps) {
  const { t } = useTranslation(['account', 'ui'])
  const language = useLanguage()
  const navigate = useNavigate()
  const schema = useMemo(
    () =>
      v.object({ confirmation: v.pipe(v.string(), v.trim(), v.literal(username, t('danger.mismatch', { username }))) }),
    [username, t],
  )
  const { mutateAsync } = useMutation(deleteAccountMutation())
  const form = useForm({
    schema,
    defaults: { confirmation: '' },
    submit: () => mutateAsync(),
    onDone: () => void navigate(paths.home(language), { replace: true }),
    words: useRefusal(ACCOUNT_REFUSALS),
  })
  return (
    <Form form={form}>
      <TextField
        firstFocus
        name="confirmation"
        label={t('danger.type', { username })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Submit variant="danger" wide aside={<Button onClick={onClose}>{t('ui:cancel')}</Button>}>
        {t('danger.submit')}
      </Submit>
    </Form>
  )
}
