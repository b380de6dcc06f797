/** Sums that are paid, with their cents always: `12,00 €`. Apart from `format`, which every page loads. */
import { numberFormat } from './format'
import type { Language } from './languages'

/** The currency is a code of ISO 4217 in any case. */
export function formatAmount(cents: number, currency: string, language: Language): string {
  return numberFormat(language, { style: 'currency', currency: currency.toUpperCase() }).format(cents / 100)
}

/** `20 %`, `5,5 %`, of hundredths of a percent. */
export function formatTaxRate(basisPoints: number, language: Language): string {
  return numberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(basisPoints / 10_000)
}
