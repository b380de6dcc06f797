import { useState } from 'react'
import { useFormState } from 'react-hook-form'
import { TextArea, TextInput } from '@/components/ui/text-input'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGES, LANGUAGE_NAMES, type Language } from '@/lib/i18n/languages'
import { useLanguage } from '@/lib/i18n/use-language'
import { useField, type FormFieldProps } from './use-field'
import styles from './localized-field.module.css'

interface LocalizedFieldProps extends FormFieldProps {
  /** The height in lines. */
  lines?: number
  limit?: number
}

/** One text in three languages, one of which is shown at a time. The value is `{ fr, en, es }`. */
export function LocalizedField({ lines = 1, limit, ...props }: LocalizedFieldProps) {
  const { t } = useTranslation('form')
  const [current, setShown] = useState<Language>(useLanguage())
  const wrong = useWrongLanguages(props.name)
  // The language with a problem is shown, so that its message can be seen.
  const [reported, setTold] = useState('')
  if (wrong.join() !== reported) {
    setTold(wrong.join())
    if (wrong[0] !== undefined && !wrong.includes(current)) setShown(wrong[0])
  }
  return (
    <div className={styles.localized}>
      <div role="radiogroup" aria-label={t('localized.label', { field: props.label })} className={styles.tabs}>
        {LANGUAGES.map((language) => (
          <label key={language} className={styles.tab} data-wrong={wrong.includes(language) || undefined}>
            <input
              type="radio"
              name={`${props.name}-language`}
              checked={current === language}
              onChange={() => setShown(language)}
            />
            <span lang={language} aria-label={LANGUAGE_NAMES[language]}>
              {language.toUpperCase()}
            </span>
            {wrong.includes(language) && <span className={styles.mark}>{t('localized.wrong')}</span>}
          </label>
        ))}
      </div>
      <LanguageText key={current} {...props} language={current} lines={lines} limit={limit} />
    </div>
  )
}

function useWrongLanguages(name: string): Language[] {
  const { errors } = useFormState({ name })
  const error: unknown = errors[name]
  return LANGUAGES.filter((language) => typeof error === 'object' && error !== null && language in error)
}

function LanguageText({ language, lines = 1, limit, ...props }: LocalizedFieldProps & { language: Language }) {
  const field = useField<string | undefined>({ ...props, name: `${props.name}.${language}` })
  const text = field.value ?? ''
  const shared = {
    ...field.frame,
    counter: limit === undefined ? undefined : { text, limit },
    ref: field.ref,
    lang: language,
    value: text,
    onChange: (event: { target: { value: string } }) => field.change(event.target.value),
    onBlur: field.leave,
  }
  return lines > 1 ? <TextArea {...shared} rows={lines} /> : <TextInput {...shared} />
}
