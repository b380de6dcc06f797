import { useMutation, useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { Form } from '@/components/form/form'
import { FormLoading } from '@/components/form/form-loading'
import { SelectField } from '@/components/form/select-field'
import { SwitchField } from '@/components/form/check-field'
import { Submit } from '@/components/form/submit'
import { TextField } from '@/components/form/text-field'
import { useForm } from '@/components/form/use-form'
import { QueryStates } from '@/components/query/query-states'
import { Panel } from '@/components/ui/panel'
import { TextInput } from '@/components/ui/text-input'
import { username } from '@/entities/account/credentials'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGES, LANGUAGE_NAMES } from '@/lib/i18n/languages'
import { useRefusal } from '@/lib/i18n/refusal'
import { oneOf } from '@/lib/text/rules'
import { useLanguage } from '@/lib/i18n/use-language'
import { NAME_REFUSALS, detailsQuery, saveDetailsMutation, type Details } from '../api/details'
import styles from './details-panel.module.css'

interface DetailsPanelProps {
  userId: string
  email: string
}

const SCHEMA = v.object({ username: username(), language: oneOf(LANGUAGES), weeklyMail: v.boolean() })

export function DetailsPanel({ userId, email }: DetailsPanelProps) {
  const { t } = useTranslation('profile')
  const details = useQuery(detailsQuery(userId))
  return (
    <Panel title={t('details.title')} intro={t('details.intro')}>
      <QueryStates query={details} loading={<FormLoading fields={3} />} failed={t('details.unreadable')}>
        {(row) => <DetailsForm userId={userId} email={email} details={row} />}
      </QueryStates>
    </Panel>
  )
}

function DetailsForm({ userId, email, details }: DetailsPanelProps & { details: Details }) {
  const { t } = useTranslation('profile')
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
    refusals: { '23505': 'username', '23514': 'username' },
    words: useRefusal(NAME_REFUSALS),
    // The form goes with the session, should that end meanwhile.
    draft: `profile.${userId}`,
  })
  return (
    <Form form={form} label={t('details.title')} className={styles.form}>
      <TextField
        name="username"
        label={t('details.username')}
        help={t('details.usernameHelp')}
        autoComplete="username"
      />
      <TextInput label={t('details.email')} help={t('details.emailHelp')} type="email" readOnly value={email} />
      <SelectField
        name="language"
        label={t('details.language')}
        choices={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language], lang: language }))}
      />
      <SwitchField name="weeklyMail" label={t('details.weeklyMail')} help={t('details.weeklyMailHelp')} />
      <div>
        <Submit>{t('details.save')}</Submit>
      </div>
    </Form>
  )
}
