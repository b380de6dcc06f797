import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Form } from '@/components/form/form'
import { Submit } from '@/components/form/submit'
import { TextField } from '@/components/form/text-field'
import { useForm } from '@/components/form/use-form'
import { beginPhoneMutation, type PhoneSetup } from '../api/factors'
import { phoneSchema } from '../model/factor'
import { freeName } from '../model/free-name'
import { useRefusal } from '@/lib/i18n/refusal'
import { ACCOUNT_REFUSALS } from '../model/refusals'
import { FactorSetup, FirstCodeForm, type SetupDialogProps } from './factor-setup'

/** Adds a phone: its number, then the code sent to it. */
export function PhoneSetupDialog({ usedNames, onClose }: SetupDialogProps) {
  const { t } = useTranslation('account')
  const [setup, setSetup] = useState<PhoneSetup | null>(null)
  return (
    <FactorSetup kind="phone" onClose={onClose}>
      {setup === null ? (
        <NumberForm name={freeName(t('factors.kind.phone'), usedNames)} onBegun={setSetup} />
      ) : (
        <FirstCodeForm {...setup} label={t('phone.code')} onClose={onClose} />
      )}
    </FactorSetup>
  )
}

function NumberForm({ name, onBegun }: { name: string; onBegun: (setup: PhoneSetup) => void }) {
  const { t } = useTranslation('account')
  const words = useRefusal(ACCOUNT_REFUSALS)
  const { mutateAsync } = useMutation(beginPhoneMutation())
  const schema = useMemo(() => phoneSchema(t), [t])
  const form = useForm({
    schema,
    defaults: { phone: '' },
    submit: ({ phone }) => mutateAsync({ phone, friendlyName: name }),
    onDone: onBegun,
    refusals: { validation_failed: 'phone', phone_exists: 'phone', mfa_verified_factor_exists: 'phone' },
    words,
  })
  return (
    <Form form={form}>
      <TextField
        firstFocus
        name="phone"
        type="tel"
        autoComplete="tel"
        label={t('phone.number')}
        help={t('phone.numberHelp')}
      />
      <Submit size="large" wide>
        {t('phone.send')}
      </Submit>
    </Form>
  )
}
