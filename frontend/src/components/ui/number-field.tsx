/** A number with its steps: arrow keys, buttons, and the language's own way of writing it. Import lazily. */
import { NumberField as Base } from '@base-ui/react/number-field'
import { useId } from 'react'
import { useTranslation } from '@/lib/i18n'
import { useLanguage } from '@/lib/use-language'
import { FieldFrame, describedBy, type FieldLook } from './field'
import { Icon } from './icon'
import styles from './number-field.module.css'

interface NumberFieldProps extends FieldLook {
  value: number | null
  onValueChange: (value: number | null) => void
  name?: string
  min?: number
  max?: number
  step?: number
  /** How it is written, such as with a unit or two decimals. */
  format?: Intl.NumberFormatOptions
  disabled?: boolean
  required?: boolean
  onBlur?: () => void
}

export function NumberField({ label, help, error, counter, onBlur, ...rest }: NumberFieldProps) {
  const { t } = useTranslation('ui')
  const language = useLanguage()
  const id = useId()
  const look = { label, help, error, counter }
  return (
    <FieldFrame field={id} {...look}>
      <Base.Root {...rest} id={id} locale={language} onValueChange={(value) => rest.onValueChange(value)}>
        <Base.Group className={styles.frame}>
          <Base.Input className={styles.input} onBlur={onBlur} {...describedBy(id, look)} />
          <Base.Decrement className={styles.step} aria-label={t('number.less')}>
            <Icon name="minus" size={18} />
          </Base.Decrement>
          <Base.Increment className={styles.step} aria-label={t('number.more')}>
            <Icon name="plus" size={18} />
          </Base.Increment>
        </Base.Group>
      </Base.Root>
    </FieldFrame>
  )
}
