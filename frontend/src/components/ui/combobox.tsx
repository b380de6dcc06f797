/**
 * A combobox for one of many options; the caller queries the matching ones. Large: import lazily.
 */
import { Combobox as Base } from '@base-ui/react/combobox'
import { useState, type ReactNode, type Ref } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Button, IconButton } from './button'
import { Field, type FieldLabels } from './field'
import { Icon } from './icon'
import { useNothingHidden } from './use-nothing-hidden'
import styles from './combobox.module.css'

export interface ComboboxOption {
  value: string
  label: string
  /** Shown beside the name, to distinguish options of the same name. */
  note?: string
}

export interface ComboboxProps extends Omit<FieldLabels, 'label'> {
  label: string
  value: ComboboxOption | null
  onValueChange: (option: ComboboxOption | null) => void
  /** The options that match the typed text, already filtered. */
  options: readonly ComboboxOption[]
  /** Called with the typed text at every change. */
  onSearch: (text: string) => void
  state?: 'ready' | 'loading' | 'failed'
  onRetry?: () => void
  placeholder?: string
  /** The field's name in a form, by which the form focuses it. */
  name?: string
  required?: boolean
  inputRef?: Ref<HTMLInputElement>
  onBlur?: () => void
}

export function Combobox({ value, onValueChange, options, onSearch, placeholder, ...rest }: ComboboxProps) {
  const { state = 'ready', onRetry, name, required, inputRef, onBlur, ...field } = rest
  const { t } = useTranslation('ui')
  const [open, setOpen] = useState(false)
  useNothingHidden(open)
  return (
    <Field {...field}>
      {(control) => (
        <Base.Root
          items={options}
          filter={null}
          value={value}
          isItemEqualToValue={(a, b) => a.value === b.value}
          onValueChange={onValueChange}
          onInputValueChange={(text, { reason }) => reason !== 'item-press' && onSearch(text)}
          onOpenChange={setOpen}
          autoHighlight
        >
          <Base.InputGroup className={styles.frame}>
            <Base.Input
              {...control}
              ref={inputRef}
              data-field={name}
              aria-required={required}
              className={styles.input}
              placeholder={placeholder}
              onBlur={onBlur}
            />
            <Base.Clear className={styles.clear} render={<IconButton icon="close" size="small" label={t('clear')} />} />
          </Base.InputGroup>
          <Base.Portal>
            <Base.Positioner className={styles.positioner} sideOffset={8} collisionPadding={8}>
              <Base.Popup className={styles.popup} aria-busy={state === 'loading'}>
                <Base.Status>
                  <Outcome state={state} none={options.length === 0} onRetry={onRetry} />
                </Base.Status>
                <Base.List>
                  {(option: ComboboxOption) => (
                    <Base.Item key={option.value} value={option} className={styles.item}>
                      <span className={styles.text}>{option.label}</span>
                      {option.note && <span className={styles.note}>{option.note}</span>}
                      <Base.ItemIndicator>
                        <Icon name="check" size={16} />
                      </Base.ItemIndicator>
                    </Base.Item>
                  )}
                </Base.List>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  )
}

/** The message when there is no option. */
function Outcome({
  state,
  none,
  onRetry,
}: {
  state: 'ready' | 'loading' | 'failed'
  none: boolean
  onRetry: (() => void) | undefined
}): ReactNode {
  const { t } = useTranslation('ui')
  if (state === 'failed')
    return (
      <span className={styles.said}>
        {t('choices.failed')}
        <Button size="small" icon="refresh" onClick={onRetry}>
          {t('retry')}
        </Button>
      </span>
    )
  if (state === 'loading' && none) return <span className={styles.said}>{t('loading')}</span>
  return none ? <span className={styles.said}>{t('choices.none')}</span> : null
}
