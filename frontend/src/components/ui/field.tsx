import { useId, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { formatNumber } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import { Icon } from './icon'
import { VisuallyHidden } from './visually-hidden'
import styles from './field.module.css'

export interface FieldLabels {
  label: ReactNode
  /** A hint below the field. */
  help?: ReactNode
  /** Shown beside the label of a field that may stay empty. */
  optional?: boolean
  /** Why the value is invalid; read aloud when it appears. */
  error?: ReactNode
  /** The text and its limit, for the counter of characters. */
  counter?: { text: string; limit: number } | undefined
}

/** The attributes that connect a control with its label, its help and its error. */
interface ControlProps {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

interface FieldProps extends FieldLabels {
  id?: string | undefined
  /** A group of choices has a legend; a single control has a label. */
  group?: 'group' | 'radiogroup'
  /** The group's name in a form, by which the form focuses it. */
  name?: string
  children: (control: ControlProps) => ReactNode
}

/**
 * The frame around the control of every field: label, help, counter, and the error, read aloud when
 * it appears.
 */
export function Field({ label, help, optional, error, counter, id, group, name, children }: FieldProps) {
  const { t } = useTranslation('ui')
  const generatedId = useId()
  const field = id ?? generatedId
  const described = describedBy(field, { help, error, counter })
  const isWrong = error ? true : undefined
  const title = (
    <>
      {label}
      {optional && <span className={styles.optional}> {t('field.optional')}</span>}
    </>
  )
  const inside = (
    <>
      {children({ id: field, 'aria-invalid': isWrong, 'aria-describedby': described })}
      {(help || counter) && (
        <div className={styles.below}>
          <FieldHelp field={field} help={help} />
          {counter && <Counter id={`${field}-count`} {...counter} />}
        </div>
      )}
      <FieldError field={field} error={error} />
    </>
  )
  return group ? (
    <fieldset
      role={group}
      className={styles.field}
      aria-invalid={group === 'radiogroup' ? isWrong : undefined}
      aria-describedby={described}
      data-field={name}
      data-wrong={isWrong}
    >
      <legend className={styles.label}>{title}</legend>
      {inside}
    </fieldset>
  ) : (
    <div className={styles.field}>
      <label htmlFor={field} className={styles.label}>
        {title}
      </label>
      {inside}
    </div>
  )
}

/** The help below the field with this id. */
export function FieldHelp({ field, help }: { field: string; help: ReactNode }) {
  if (!help) return null
  return (
    <p id={`${field}-help`} className={styles.help}>
      {help}
    </p>
  )
}

/**
 * The error of the field with this id. The element is always there, so that its text is read aloud
 * when it appears.
 */
export function FieldError({ field, error }: { field: string; error: ReactNode }) {
  return (
    <div id={`${field}-error`} role="alert">
      {error && (
        <p className={styles.error}>
          <Icon name="warning" size={18} />
          {error}
        </p>
      )}
    </div>
  )
}

/** The ids of the help and error of a field, for `aria-describedby`. */
export function describedBy(
  field: string,
  { help, error, counter }: Pick<FieldLabels, 'help' | 'error' | 'counter'>,
): string | undefined {
  const parts = [help && `${field}-help`, counter && `${field}-count`, error && `${field}-error`].filter(Boolean)
  return parts.join(' ') || undefined
}

/** With so many characters left, the counter is also read aloud. */
const NEAR = 20

function Counter({ id, text, limit }: { id: string; text: string; limit: number }) {
  const { t } = useTranslation('ui')
  const language = useLanguage()
  // Counts code points as the database does, not UTF-16 units.
  const used = Array.from(text).length
  const left = limit - used
  return (
    <p id={id} className={styles.counter} data-over={left < 0 || undefined}>
      <span aria-hidden="true">
        {t('field.counter', { used: formatNumber(used, language), limit: formatNumber(limit, language) })}
      </span>
      <VisuallyHidden>
        <span aria-live="polite">
          {left < 0 ? t('field.over', { count: -left }) : left <= NEAR ? t('field.left', { count: left }) : ''}
        </span>
      </VisuallyHidden>
    </p>
  )
}
