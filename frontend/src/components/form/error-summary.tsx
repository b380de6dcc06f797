import { useEffect, useRef } from 'react'
import { useFormState, type FieldErrors } from 'react-hook-form'
import { useTranslation } from '@/lib/i18n/i18n'
import { useFormParts } from './form-context'
import { useProblemWords } from './problems'
import styles from './form.module.css'

interface FieldProblem {
  name: string
  message: string
}

function found(errors: FieldErrors, prefix = ''): FieldProblem[] {
  return Object.entries(errors).flatMap(([key, error]): FieldProblem[] => {
    if (typeof error !== 'object' || error === null || key === 'ref' || key === 'root') return []
    const name = prefix + key
    if (typeof error.message === 'string' && error.message !== '') return [{ name, message: error.message }]
    return found(Object.fromEntries(Object.entries(error)), `${name}.`)
  })
}

/**
 * Lists the problems of a long form as links to the fields; it gets the focus, and so is read
 * aloud, when a submit failed validation.
 */
export function ErrorSummary({ focused }: { focused: boolean }) {
  const { t } = useTranslation('form')
  const { labelOf } = useFormParts()
  const words = useProblemWords()
  const { errors, submitCount, isSubmitting } = useFormState()
  const box = useRef<HTMLDivElement>(null)
  const problems = found(errors)
  const isVisible = submitCount > 0 && problems.length > 0

  useEffect(() => {
    if (focused && submitCount > 0 && !isSubmitting) box.current?.focus()
  }, [focused, submitCount, isSubmitting])

  if (!isVisible) return null
  return (
    <div ref={box} className={styles.summary} tabIndex={-1} role="group" aria-labelledby="form-summary">
      <h2 id="form-summary">{t('summary', { count: problems.length })}</h2>
      <ul>
        {problems.map(({ name, message }) => (
          <li key={name}>
            <button type="button" onClick={() => focusField(box.current, name)}>
              {labelOf(name) ?? name}
            </button>
            <span>{words(message)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function focusField(from: HTMLElement | null, name: string): void {
  const field = from
    ?.closest('form')
    ?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"], [data-field="${name}"]`)
  field?.focus()
  field?.scrollIntoView({ block: 'center' })
}
