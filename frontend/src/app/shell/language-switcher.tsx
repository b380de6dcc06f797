import { useTranslation } from '@/lib/i18n/i18n'
import { useLocation } from 'react-router'
import { Link } from '@/components/ui/link'
import { Icon } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import { buttonClass } from '@/components/ui/button'
import { LANGUAGES, LANGUAGE_NAMES, type Language } from '@/lib/i18n/languages'
import { switchLanguage } from '@/lib/routing/paths'
import { keepLanguage, useLanguage } from '@/lib/i18n/use-language'
import { KEEP_PLACE } from '../use-address-rules'
import { Flag } from './flag'
import styles from './language-switcher.module.css'

/** Links to the same page in other languages, behind a button. */
export function LanguageSwitcher() {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  return (
    <Popover
      label={t('language.label')}
      trigger={(button) => (
        <button
          type="button"
          {...button}
          className={buttonClass({ variant: 'quiet' })}
          aria-label={t('language.current', { language: LANGUAGE_NAMES[language] })}
        >
          <Flag language={language} />
          <Icon name="chevron-down" size={16} />
        </button>
      )}
    >
      {(close) => <LanguageLinks onChosen={close} />}
    </Popover>
  )
}

/** Links to the same page in each language. */
export function LanguageLinks({ onChosen }: { onChosen?: () => void }) {
  const current = useLanguage()
  const { pathname, search, hash } = useLocation()
  function choose(language: Language): void {
    // Some addresses are the same in every language: only the stored choice decides there.
    keepLanguage(language)
    onChosen?.()
  }
  return (
    <ul className={styles.languages}>
      {LANGUAGES.map((language) => (
        <li key={language}>
          <Link
            to={{ pathname: switchLanguage(pathname, language), search, hash }}
            state={KEEP_PLACE}
            lang={language}
            hrefLang={language}
            className={styles.language}
            aria-current={language === current ? 'true' : undefined}
            onClick={() => choose(language)}
          >
            <Flag language={language} />
            {LANGUAGE_NAMES[language]}
            {language === current && <Icon name="check" size={16} />}
          </Link>
        </li>
      ))}
    </ul>
  )
}
