/**
 * One form: its values (react-hook-form), its rules (a valibot schema from the feature's `model/`),
 * one submit at a time, and its refusals. Only lazily loaded code may import this folder, so that
 * it is never part of the script of every page.
 *
 * A field is validated when it loses the focus with content and on submit; its problem is cleared
 * while it is corrected. A refusal of the server is shown at the field it names (`refusals`), else
 * above the button. Input is never lost by a refusal, by being offline, or (with `draft`) by
 * leaving the page.
 */
import { useCallback, useMemo, useRef, useState, type BaseSyntheticEvent } from 'react'
import {
  useForm as useFields,
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormReturn,
} from 'react-hook-form'
import type { GenericSchema } from 'valibot'
import { ApiError, toApiError } from '@/lib/api/errors'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import type { FormParts } from './form-context'
import { resolverOf } from './resolver'
import { useDraft, type DraftState } from './use-draft'
import { useDirtyGuard, type LeaveState } from './dirty-guard'

export interface FormOptions<Input extends FieldValues, Output, Done> {
  /** The output is the argument of `submit`: trimmed, parsed, validated. */
  schema: GenericSchema<Input, Output>
  defaults: DefaultValues<Input>
  /** Rows that may be updated while the form is open: untouched fields follow them. */
  values?: Input | undefined
  /** Submits the values: a mutation's `mutateAsync`. A thrown error is a refusal. */
  submit: (values: Output) => Promise<Done>
  onDone?: ((done: Done, values: Output) => void) | undefined
  /** Called with a refusal. `true` means that the caller handled it, and the form shows nothing. */
  onRefused?: ((error: ApiError, values: Output) => boolean | void) | undefined
  /** The field to which a refusal belongs, by code. */
  refusals?: Readonly<Record<string, Path<Input>>> | undefined
  /** A field whose value is valid for one submit only, such as a code: a refusal empties it. */
  oneTry?: Path<Input> | undefined
  /** The text of a refusal, where those of `lib/i18n/refusal` do not fit. */
  words?: ((error: ApiError) => string) | undefined
  /**
   * `clear` empties the fields after a submit; by default the submitted values become the new
   * initial values.
   */
  after?: 'keep' | 'clear'
  /** Asks before unsaved changes are lost. */
  guard?: boolean
  /**
   * Stores the input in this browser under this name until it is submitted. Secrets are never
   * stored.
   */
  draft?: string | undefined
}

export interface FormHandle<Input extends FieldValues, Output> {
  fields: UseFormReturn<Input, unknown, Output>
  parts: FormParts
  busy: boolean
  dirty: boolean
  send: (event?: BaseSyntheticEvent) => Promise<void>
  /** Resets the form to the last saved values. */
  discard: () => void
  draft: DraftState
  leave: LeaveState
}

export function useForm<Input extends FieldValues, Output, Done>(
  options: FormOptions<Input, Output, Done>,
): FormHandle<Input, Output> {
  const { t } = useTranslation('form')
  const refusalText = useRefusal()
  const resolver = useMemo(() => resolverOf(options.schema), [options.schema])
  const fields = useFields<Input, unknown, Output>({
    resolver,
    defaultValues: options.defaults,
    ...(options.values && { values: options.values, resetOptions: { keepDirtyValues: true } }),
    mode: 'onSubmit',
    // `use-field` validates and clears: a field should show no problem while it is being corrected.
    reValidateMode: 'onSubmit',
  })
  const { isDirty } = fields.formState
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<FormParts['refusal']>(null)
  const sending = useRef(false)
  const labels = useRef(new Map<string, string>())
  const secrets = useRef(new Set<string>())
  const draft = useDraft(options.draft, fields, secrets)
  const leave = useDirtyGuard(options.guard === true && isDirty && !busy)

  async function attempt(values: Output): Promise<void> {
    try {
      if (!navigator.onLine) throw new ApiError('offline', 'No network', 0)
      const done = await options.submit(values)
      leave.release()
      draft.forget()
      if (options.after === 'clear') fields.reset()
      else fields.reset(fields.getValues())
      options.onDone?.(done, values)
    } catch (cause) {
      refuse(toApiError(cause), values)
    }
  }

  function refuse(error: ApiError, values: Output): void {
    if (options.onRefused?.(error, values) === true) return
    if (options.oneTry) fields.resetField(options.oneTry, { keepDirty: false })
    const text = error.code === 'offline' ? t('offline') : (options.words ?? refusalText)(error)
    const field = options.refusals && Object.hasOwn(options.refusals, error.code) ? options.refusals[error.code] : null
    if (field) fields.setError(field, { type: 'server', message: text }, { shouldFocus: true })
    else setRefusal(text)
  }

  async function send(event?: BaseSyntheticEvent): Promise<void> {
    event?.preventDefault()
    // React events bubble from a form in a dialog to the form that opened the dialog.
    event?.stopPropagation()
    if (sending.current) return
    sending.current = true
    setRefusal(null)
    try {
      await fields.handleSubmit(async (values) => {
        setBusy(true)
        await attempt(values)
      })()
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  const names = options.values ?? options.defaults
  const assertField = useCallback(
    (name: string) => {
      const [root = ''] = name.split('.')
      if (!Object.hasOwn(names, root)) throw new Error(`The form has no field "${name}": give it a default`)
    },
    [names],
  )
  const keepSecret = useCallback((name: string) => void secrets.current.add(name), [])
  const nameField = useCallback((name: string, label: string) => void labels.current.set(name, label), [])
  const labelOf = useCallback((name: string) => {
    const root = (path: string): string => path.split('.')[0] ?? ''
    // Of a text in three languages only the visible part has registered its label.
    return labels.current.get(name) ?? [...labels.current].find(([known]) => root(known) === root(name))?.[1]
  }, [])
  const parts = useMemo<FormParts>(
    () => ({ busy, refusal, assertField, keepSecret, nameField, labelOf }),
    [busy, refusal, assertField, keepSecret, nameField, labelOf],
  )

  function discard(): void {
    setRefusal(null)
    draft.forget()
    fields.reset()
  }

  return { fields, parts, busy, dirty: isDirty, send, discard, draft, leave }
}
