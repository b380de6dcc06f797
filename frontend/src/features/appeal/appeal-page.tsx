/** The page behind the link in an email about a ban: an appeal without signing in. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import * as v from 'valibot'
import { Form } from '@/components/form/form'
import { Submit } from '@/components/form/submit'
import { TextareaField } from '@/components/form/textarea-field'
import { useForm } from '@/components/form/use-form'
import { ButtonLink } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { StateMessage } from '@/components/ui/state-message'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { requiredText } from '@/lib/text/rules'
import { appealMutation, type Outcome, type AppealLink } from './api/appeal'
import styles from './appeal.module.css'

const MAX_APPEAL = 2000

const schema = v.object({ message: requiredText(MAX_APPEAL) })

export function AppealPage() {
  const { t } = useTranslation('appeal')
  const language = useLanguage()
  const [query] = useSearchParams()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const link = { decision: query.get('decision') ?? '', token: query.get('token') ?? '' }
  const homeLink = (
    <ButtonLink icon="home" to={paths.home(language)}>
      {t('home')}
    </ButtonLink>
  )
  if (outcome !== null)
    return (
      <StateMessage announced heading="h1" drawing="empty" title={t(`${outcome}.title`)} actions={homeLink}>
        {t(`${outcome}.text`)}
      </StateMessage>
    )
  // Without both parameters the appeal could not be sent, so there is no form.
  if (link.decision === '' || link.token === '')
    return (
      <StateMessage heading="h1" drawing="lost" title={t('title')} actions={homeLink}>
        {t('badLink')}
      </StateMessage>
    )
  return (
    <div className={styles.page}>
      <PageHeader title={t('title')} description={t('lead')} />
      <AppealForm link={link} onSent={setOutcome} />
    </div>
  )
}

function AppealForm({ link, onSent }: { link: AppealLink; onSent: (outcome: Outcome) => void }) {
  const { t } = useTranslation('appeal')
  const appeal = useMutation(appealMutation(link))
  const form = useForm({
    schema,
    defaults: { message: '' },
    submit: ({ message }) => appeal.mutateAsync(message),
    words: useRefusal({ invalid_token: 'appeal:badLink', bad_request: 'appeal:badLink' }),
    onDone: onSent,
    guard: true,
  })
  return (
    <Form form={form}>
      <TextareaField name="message" label={t('message')} help={t('help')} limit={MAX_APPEAL} rows={8} />
      <Submit>{t('send')}</Submit>
    </Form>
  )
}
