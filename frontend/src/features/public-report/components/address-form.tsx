import { useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { Link } from '@/components/ui/link'
import { Button } from '@/components/ui/button'
import { TextInput } from '@/components/ui/text-input'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { serverAt } from '../model/address'
import styles from '../public-report.module.css'

/** Asks for the page's address, if the reader did not come from a page. */
export function AddressForm() {
  const { t } = useTranslation('public-report')
  const language = useLanguage()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [isUnknown, setIsUnknown] = useState(false)

  function submit(event: FormEvent): void {
    event.preventDefault()
    const server = serverAt(typed)
    if (server === null) setIsUnknown(true)
    else void navigate(`${paths.publicReport(language)}?${new URLSearchParams({ server }).toString()}`)
  }

  return (
    <form className={styles.address} noValidate onSubmit={submit}>
      <TextInput
        label={t('address.label')}
        help={t('address.help')}
        error={isUnknown ? t('address.unknown') : undefined}
        name="address"
        type="url"
        autoComplete="off"
        spellCheck={false}
        required
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setIsUnknown(false)
        }}
      />
      <Button type="submit" variant="primary">
        {t('address.next')}
      </Button>
      {isUnknown && <Link to={paths.terms(language)}>{t('address.terms')}</Link>}
    </form>
  )
}
