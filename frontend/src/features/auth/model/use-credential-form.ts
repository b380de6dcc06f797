/** What the forms share: check, send, put a refusal beside its field and say it in a toast. */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { useTranslation } from '@/lib/i18n'
import { showToast } from '@/components/ui/toast-store'
import { toApiError, type ApiError } from '@/lib/errors'
import type { FieldName, Problems } from './credentials'
import { refusalOf } from './refusal'

interface CredentialForm<Fields, Done> {
  /** Which form, for the title of its failure. */
  form: 'signIn' | 'signUp' | 'reset' | 'newPassword'
  check: (fields: Fields) => Problems
  send: (fields: Fields) => Promise<Done>
  onDone: (done: Done, fields: Fields) => void
  /** After the refusal was said. */
  onRefused?: (error: ApiError, fields: Fields) => void
}

export function useCredentialForm<Fields extends Partial<Record<FieldName, string>>, Done>(
  options: CredentialForm<Fields, Done>,
) {
  const { t } = useTranslation('auth')
  const [problems, setProblems] = useState<Partial<Record<FieldName, string>>>({})
  const formRef = useRef<HTMLFormElement>(null)

  const mutation = useMutation({
    mutationFn: options.send,
    onSuccess: options.onDone,
    onError: (cause, fields) => {
      const error = toApiError(cause)
      const refusal = refusalOf(error)
      const text = refusal ? t(refusal.key) : error.message
      if (refusal?.field) show({ [refusal.field]: text })
      const general = error.code === 'invalid_credentials' ? t('refusal.checkCredentials') : text
      showToast({ tone: 'danger', title: t(`${options.form}.failed`), description: general })
      options.onRefused?.(error, fields)
    },
  })

  function show(next: Partial<Record<FieldName, string>>): void {
    setProblems(next)
    const first = Object.keys(next)[0]
    formRef.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }

  function submit(fields: Fields): void {
    const found = Object.entries(options.check(fields))
    if (found.length > 0)
      return show(Object.fromEntries(found.map(([field, problem]) => [field, t(`problem.${problem}`)])))
    setProblems({})
    mutation.mutate(fields)
  }

  function onSubmit(read: (data: FormData) => Fields) {
    return (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      if (!mutation.isPending) submit(read(new FormData(event.currentTarget)))
    }
  }

  /** A field being corrected stops being reproached. */
  function forgive(field: FieldName): void {
    if (problems[field] !== undefined) setProblems(({ [field]: _, ...rest }) => rest)
  }

  return { formRef, problems, busy: mutation.isPending, onSubmit, forgive }
}
