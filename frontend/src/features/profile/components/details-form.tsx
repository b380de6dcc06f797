/** The form for the person's own row. Loaded when it is opened. */
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as v from 'valibot'
import { SwitchField } from '@/components/form/check-field'
import { Form } from '@/components/form/form'
import { SelectField } from '@/components/form/select-field'
import { Submit } from '@/components/form/submit'
import { TextField } from '@/components/form/text-field'
import { useForm } from '@/components/form/use-form'
import { Button } from '@/components/ui/button'
import { TextInput } from '@/components/ui/text-input'
import { username } from '@/entities/account/credentials'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGES, LANGUAGE_NAMES } from '@/lib/i18n/languages'
import { useRefusal } from '@/lib/i18n/refusal'
import { useLanguage } from '@/lib/i18n/use-language'
import { oneOf } from '@/lib/text/rules'
import { NAME_REFUSALS, saveDetailsMutation, type Details } from '../api/details'
import styles from './details-panel.module.css'

interface DetailsFormProps {
  userId: string
  email: string
  details: Details
  /** The key of the draft. */
  draft: string
  /** Whether the form replaces the button that opened it, and so takes the focus. */
  takesFocus: boolean
  onClose: () => void
}

const SCHEMA = v.object({ username: username(), language: oneOf(LANGUAGES), weeklyMail: v.boolean() })

export function DetailsForm({ userId, email, details, draft, takesFocus, onClose }: DetailsFormProps) {
  const { t } = useTranslation(['profile', 'ui'])
  const current = useLanguage()
  const save = useMutation(saveDetailsMutation())
  const form = useForm({
    schema: SCHEMA,
    defaults: {
      username: details.username,
      language: details.language ?? current,
      weeklyMail: details.weeklyMail,
    },
    submit: (values) => save.mutateAsync({ userId, ...values }),
    onDone: onClose,
    refusals: { '23505': 'username', '23514': 'username' },
    words: useRefusal(NAME_REFUSALS),
    // The draft is deleted when the session ends.
    draft,
  })
  const { setFocus } = form.fields
  useEffect(() => {
    if (takesFocus) setFocus('username')
  }, [takesFocus, setFocus])
  return (
    <Form form={form} label={t('profile:details.title')} className={styles.form}>
      <TextField
        name="username"
        label={t('profile:details.username')}
        help={t('profile:details.usernameHelp')}
        autoComplete="username"
      />
      <TextInput
        label={t('profile:details.email')}
        help={t('profile:details.emailHelp')}
        type="email"
        readOnly
        value={email}
      />
      <SelectField
        name="language"
        label={t('profile:details.language')}
        choices={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language], lang: language }))}
      />
      <SwitchField
        name="weeklyMail"
        label={t('profile:details.weeklyMail')}
        help={t('profile:details.weeklyMailHelp')}
      />
      <div>
        <Submit
          aside={
            <Button
              variant="quiet"
              onClick={() => {
                form.discard()
                onClose()
              }}
            >
              {t('ui:cancel')}
            </Button>
          }
        >
          {t('profile:details.save')}
        </Submit>
      </div>
    </Form>
  )
}
