/**
 * The operator's particulars, from the site's settings, for the pages on which the law requires
 * them.
 */
import type { Words } from './words'

export type LegalKey = 'privacy' | 'terms' | 'termsOfSale'

const SETTINGS = {
  sellerName: 'seller_name',
  sellerAddress: 'seller_address',
  sellerTaxId: 'seller_tax_id',
  contactEmail: 'contact_email',
  publicationDirector: 'publication_director',
  hostParticulars: 'host_particulars',
  consumerMediator: 'consumer_mediator',
} as const

export type LegalDetail = keyof typeof SETTINGS

/** The particulars on each page, in their order. */
export const NAMED: Record<LegalKey, readonly LegalDetail[]> = {
  privacy: ['sellerName', 'sellerAddress', 'contactEmail', 'hostParticulars'],
  terms: ['sellerName', 'sellerAddress', 'sellerTaxId', 'publicationDirector', 'hostParticulars', 'contactEmail'],
  termsOfSale: ['sellerName', 'sellerAddress', 'sellerTaxId', 'contactEmail', 'consumerMediator'],
}

/**
 * The page's particulars as texts, `notStated` where one is missing, and the list of the missing
 * ones.
 */
export function particularsOf(
  page: LegalKey,
  settings: Readonly<Record<string, unknown>>,
  notStated: string,
): { words: Words; missing: LegalDetail[] } {
  const texts = NAMED[page].map((name) => [name, textOf(settings[SETTINGS[name]])] as const)
  return {
    words: Object.fromEntries(texts.map(([name, text]) => [name, text || notStated])),
    missing: texts.filter(([, text]) => text === '').map(([name]) => name),
  }
}

/** An address may contain line breaks. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().replaceAll(/\s*\n\s*/g, ', ') : ''
}
