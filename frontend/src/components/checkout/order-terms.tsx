/**
 * The end of every order form: the tax in the price, the consent to begin at once, and the button
 * with the obligation to pay.
 */
import { useEffect, type ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { CheckboxField } from '@/components/form/check-field'
import { useFormParts } from '@/components/form/form-context'
import { Submit } from '@/components/form/submit'
import { formatTaxRate } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import type { SaleTerms } from '@/entities/price/sale-terms'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './order-terms.module.css'

interface OrderTermsProps {
  terms: SaleTerms
  /** The consent: that the service begins at once, which reduces the refund after a withdrawal. */
  consent: string
  children?: ReactNode
}

/**
 * For a form with a field `consent`, which is kept out of drafts: each order needs a new consent.
 */
export function OrderTerms({ terms, consent, children }: OrderTermsProps) {
  const { t } = useTranslation('checkout')
  const language = useLanguage()
  const { keepSecret } = useFormParts()
  useEffect(() => keepSecret('consent'), [keepSecret])
  return (
    <div className={styles.terms}>
      <p className={styles.note}>
        {taxWords()} {t('order.withdrawal', { count: terms.withdrawalDays })}{' '}
        <Link to={paths.termsOfSale(language)} target="_blank" className={styles.link}>
          {t('order.terms')}
        </Link>
      </p>
      <CheckboxField name="consent" label={consent} />
      {children}
      <Submit size="large" wide>
        {t('order.submit')}
      </Submit>
    </div>
  )

  function taxWords(): string {
    if (terms.taxBasisPoints > 0) return t('order.taxed', { rate: formatTaxRate(terms.taxBasisPoints, language) })
    return terms.taxNote === '' ? t('order.allIncluded') : terms.taxNote
  }
}
