import { useEffect, useId, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n'
import { Icon } from '@/components/ui/icon'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { characters } from '@/lib/rules'
import { useFormParts } from './form-context'
import styles from './frame.module.css'

export interface FrameLook {
  name: string
  label: string
  /** What to write, below the field. */
  help?: ReactNode
  /** Said beside the label of a field that may stay empty. */
  optional?: boolean
}

interface FrameProps extends FrameLook {
  error: string | undefined
  /** Several choices have a legend; one control has a label. */
  group?: 'group' | 'radiogroup'
  counter?: { text: string; limit: number } | undefined
  children: (control: ControlProps) => ReactNode
}

/** What ties a control to its label, its help and its problem. */
export interface ControlProps {
  id: string
  name: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** What every field has around its control: label, help, counter, and the problem, read aloud when it appears. */
export function Frame({ name, label, help, optional, error, group, counter, children }: FrameProps) {
  const { t } = useTranslation('form')
  const id = useId()
  const { nameField } = useFormParts()
  useEffect(() => nameField(name, label), [name, label, nameField])
  const described = [help && `${id}-help`, counter && `${id}-count`, error && `${id}-error`].filter(Boolean).join(' ')
  const title = (
    <>
      {label}
      {optional && <span className={styles.optional}> {t('optional')}</span>}
    </>
  )
  const inside = (
    <>
      {children({
        id,
        name,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {(help || counter) && (
        <div className={styles.below}>
          {help && (
            <p id={`${id}-help`} className={styles.help}>
              {help}
            </p>
          )}
          {counter && <Counter id={`${id}-count`} {...counter} />}
        </div>
      )}
      <div id={`${id}-error`} role="alert">
        {error && (
          <p className={styles.error}>
            <Icon name="warning" size={18} />
            {error}
          </p>
        )}
      </div>
    </>
  )
  return group ? (
    <fieldset
      role={group}
      className={styles.field}
      aria-invalid={group === 'radiogroup' && error ? true : undefined}
      aria-describedby={described || undefined}
      data-field={name}
      data-wrong={error ? true : undefined}
    >
      <legend className={styles.label}>{title}</legend>
      {inside}
    </fieldset>
  ) : (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {title}
      </label>
      {inside}
    </div>
  )
}

/** Close to the bound the figure is said aloud too, in words. */
const NEAR = 20

function Counter({ id, text, limit }: { id: string; text: string; limit: number }) {
  const { t } = useTranslation('form')
  const used = characters(text)
  const left = limit - used
  return (
    <p id={id} className={styles.counter} data-over={left < 0 || undefined}>
      <span aria-hidden="true">{t('counter', { used, limit })}</span>
      <VisuallyHidden>
        <span aria-live="polite">
          {left < 0 ? t('counterOver', { count: -left }) : left <= NEAR ? t('counterLeft', { count: left }) : ''}
        </span>
      </VisuallyHidden>
    </p>
  )
}
