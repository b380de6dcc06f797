import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '@/lib/i18n'
import { Panel, PanelFailure, PanelLoading } from '@/components/ui/panel'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import { toApiError } from '@/lib/errors'
import { LANGUAGES, LANGUAGE_NAMES, isLanguage } from '@/lib/languages'
import { useLanguage } from '@/lib/use-language'
import { detailsQuery, saveDetailsMutation, type Details } from '../api/details'
import { usernameProblem } from '../model/username'
import { refusalOf } from '../model/refusal'
import { SelectField } from '@/components/ui/field'
import styles from './details-panel.module.css'

interface DetailsPanelProps {
  userId: string
  email: string
}

export function DetailsPanel({ userId, email }: DetailsPanelProps) {
  const { t } = useTranslation('profile')
  const details = useQuery(detailsQuery(userId))
  return (
    <Panel title={t('details.title')} intro={t('details.intro')}>
      {details.isPending && <PanelLoading />}
      {details.isError && <PanelFailure text={t('details.unreadable')} onRetry={() => details.refetch()} />}
      {details.isSuccess && <DetailsForm userId={userId} email={email} details={details.data} />}
    </Panel>
  )
}

function DetailsForm({ userId, email, details }: DetailsPanelProps & { details: Details }) {
  const { t } = useTranslation('profile')
  const current = useLanguage()
  const [problem, setProblem] = useState<string>()
  const save = useMutation(saveDetailsMutation())

  function refuse(cause: unknown): void {
    const key = refusalOf(toApiError(cause))
    if (key === 'refusal.nameTaken' || key === 'refusal.nameInvalid') setProblem(t(key))
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const username = String(data.get('username')).trim()
    const language = data.get('language')
    const found = usernameProblem(username)
    setProblem(found && t(`problem.${found}`))
    if (found) return event.currentTarget.querySelector<HTMLInputElement>('[name="username"]')?.focus()
    if (save.isPending) return
    save.mutate({ userId, username, language: isLanguage(language) ? language : current }, { onError: refuse })
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <TextField
        label={t('details.username')}
        help={t('details.usernameHelp')}
        error={problem}
        name="username"
        autoComplete="username"
        spellCheck={false}
        required
        defaultValue={details.username}
        onChange={() => setProblem(undefined)}
      />
      <TextField
        label={t('details.email')}
        help={t('details.emailHelp')}
        name="email"
        type="email"
        readOnly
        value={email}
      />
      <SelectField label={t('details.language')} name="language" defaultValue={details.language ?? current}>
        {LANGUAGES.map((language) => (
          <option key={language} value={language} lang={language}>
            {LANGUAGE_NAMES[language]}
          </option>
        ))}
      </SelectField>
      <div>
        <Button type="submit" look="primary" busy={save.isPending}>
          {t('details.save')}
        </Button>
      </div>
    </form>
  )
}
