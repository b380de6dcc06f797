/** What the forms share: check, send, put a refusal beside its field. */
import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { useTranslation } from '@/lib/i18n'
import { toApiError, type ApiError } from '@/lib/errors'
import type { FieldName, Problems } from './credentials'
import { refusalOf } from './refusal'

interface CredentialForm<Fields, Done> {
  check: (fields: Fields) => Problems
  /** Says its own refusals in a toast. */
  mutation: UseMutationOptions<Done, Error, Fields>
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

  const mutation = useMutation(options.mutation)

  function refuse(cause: unknown, fields: Fields): void {
    const error = toApiError(cause)
    const refusal = refusalOf(error)
    if (refusal?.field) show({ [refusal.field]: t(refusal.key) })
    options.onRefused?.(error, fields)
  }

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
    mutation.mutate(fields, { onSuccess: options.onDone, onError: refuse })
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
