import { useId, useState } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { collatorOf } from '@/lib/i18n/format'
import { Field } from '@/components/ui/field'
import { Icon } from '@/components/ui/icon'
import { useField, type FormFieldProps } from './use-field'
import styles from './tags-field.module.css'

interface TagChoice {
  value: string
  label: string
  /** The color of the dot beside the choice, `#rrggbb`. */
  colour?: string | null
}

interface TagsFieldProps extends FormFieldProps {
  choices: readonly TagChoice[]
  /** The maximum number of chosen items. */
  limit: number
  /** What the choices are. */
  of?: 'tags' | 'games'
}

/** From so many choices on there is a search field. */
const MANY = 12

/** A multiple choice of at most `limit` items: chips, searchable where there are many. */
export function TagsField({ choices, limit, of = 'tags', ...props }: TagsFieldProps) {
  const { t } = useTranslation('form')
  const language = useLanguage()
  const field = useField<readonly string[] | undefined>(props)
  const [searchText, setWanted] = useState('')
  const filterId = useId()
  const chosen = field.value ?? []
  const full = chosen.length >= limit
  const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase(language)
  const collator = collatorOf(language)
  const visibleChoices = choices
    .filter(({ label, value }) => chosen.includes(value) || plain(label).includes(plain(searchText.trim())))
    .toSorted((one, other) => collator.compare(one.label, other.label))

  function toggle(value: string): void {
    field.change(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  }

  return (
    <Field {...field.frame} group="group">
      {({ 'aria-invalid': invalid }) => (
        <div className={styles.tags}>
          {choices.length > MANY && (
            <>
              <label htmlFor={filterId} className={styles.hidden}>
                {t(`${of}.filter`)}
              </label>
              <input
                id={filterId}
                type="search"
                className={styles.filter}
                placeholder={t(`${of}.filter`)}
                value={searchText}
                onChange={(event) => setWanted(event.target.value)}
                onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
              />
            </>
          )}
          <div className={styles.chips}>
            {visibleChoices.map(({ value, label, colour }, index) => {
              const on = chosen.includes(value)
              return (
                <label key={value} className={styles.chip} data-off={(full && !on) || undefined}>
                  <input
                    type="checkbox"
                    className={styles.hidden}
                    name={props.name}
                    ref={index === 0 ? field.ref : undefined}
                    checked={on}
                    disabled={full && !on}
                    aria-invalid={invalid}
                    onChange={() => toggle(value)}
                  />
                  {on ? <Icon name="check" size={16} /> : <i style={{ background: colour ?? undefined }} />}
                  {label}
                </label>
              )
            })}
            {visibleChoices.length === 0 && <p className={styles.note}>{t(`${of}.none`)}</p>}
          </div>
          <p className={styles.note} role="status">
            {full ? t(`${of}.full`, { count: limit }) : t('tags.count', { used: chosen.length, limit })}
          </p>
        </div>
      )}
    </Field>
  )
}
