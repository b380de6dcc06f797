import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { CodeField } from '@/components/form/code-field'
import { Form } from '@/components/form/form'
import { Submit } from '@/components/form/submit'
import { useForm } from '@/components/form/use-form'
import { Dialog } from '@/components/ui/dialog'
import { completeFactorMutation } from '../api/factors'
import { FIRST_CODE } from '../model/factor'
import { useRefusal } from '@/lib/i18n/refusal'
import { ACCOUNT_REFUSALS } from '../model/refusals'

export interface SetupDialogProps {
  /** The names of this person's other factors. */
  usedNames: readonly string[]
  onClose: () => void
}

/** The dialog that sets up a second factor of any kind. */
export function FactorSetup({
  kind,
  onClose,
  children,
}: {
  kind: 'totp' | 'phone'
  onClose: () => void
  children: ReactNode
}) {
  const { t } = useTranslation('account')
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(`${kind}.title`)}
      description={t(`${kind}.intro`)}
    >
      {children}
    </Dialog>
  )
}

interface FirstCodeProps {
  factorId: string
  challengeId: string | null
  label: string
  help?: string
  onClose: () => void
  /** Shows the source of the code, such as the QR code. */
  children?: ReactNode
}

/** The form for the first code of a new factor, which verifies it. */
export function FirstCodeForm({ factorId, challengeId, label, help, onClose, children }: FirstCodeProps) {
  const { t } = useTranslation('account')
  const { mutateAsync } = useMutation(completeFactorMutation())
  const words = useRefusal(ACCOUNT_REFUSALS)
  const form = useForm({
    schema: FIRST_CODE,
    defaults: { code: '' },
    submit: ({ code }) => mutateAsync({ factorId, challengeId, code }),
    onDone: onClose,
    oneTry: 'code',
    refusals: { mfa_verification_failed: 'code', mfa_verification_rejected: 'code', otp_expired: 'code' },
    words,
  })
  return (
    <Form form={form}>
      {children}
      <CodeField firstFocus name="code" label={label} help={help} />
      <Submit size="large" wide>
        {t('totp.submit')}
      </Submit>
    </Form>
  )
}
