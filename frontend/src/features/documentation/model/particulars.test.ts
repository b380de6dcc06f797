import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LANGUAGES } from '@/lib/i18n/languages'
import { NAMED, particularsOf, type LegalKey } from './particulars'
import { KEPT, readRetention } from './retention'

const FILES: Record<LegalKey, string> = { privacy: 'privacy', terms: 'terms', termsOfSale: 'terms-of-sale' }
const PERIODS = ['cooldown', 'timezone', 'withdrawalDays', ...KEPT]

test('missing legal details are marked and listed', () => {
  const settings = { seller_name: 'Dupont & Fils', seller_address: '1, rue Haute\n75001 Paris', contact_email: '  ' }
  expect(particularsOf('privacy', settings, 'not stated')).toEqual({
    words: {
      sellerName: 'Dupont & Fils',
      sellerAddress: '1, rue Haute, 75001 Paris',
      contactEmail: 'not stated',
      hostParticulars: 'not stated',
    },
    missing: ['contactEmail', 'hostParticulars'],
  })
})

const pages = Object.keys(FILES) as LegalKey[]
test.each(pages.flatMap((page) => LANGUAGES.map((language) => [page, language] as const)))(
  '%s in %s names the particulars of its page, and no word that nothing stands for',
  (page, language) => {
    const text = readFileSync(`content/${language}/${FILES[page]}.md`, 'utf8')
    const named = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? ''))
    expect(NAMED[page].filter((name) => !named.has(name))).toEqual([])
    expect([...named].filter((name) => ![...NAMED[page], ...PERIODS].includes(name))).toEqual([])
  },
)

test('retention periods come from page or defaults', () => {
  const page = (config: unknown) => ({
    getElementById: () => Object.assign(document.createElement('script'), { textContent: JSON.stringify(config) }),
  })
  expect(readRetention(page({ retention: { addressDays: 7, voteDays: 'x', clickDays: -1 } }))).toMatchObject({
    addressDays: 7,
    voteDays: 400,
    clickDays: 90,
  })
  expect(readRetention(page({})).addressDays).toBe(30)
})
