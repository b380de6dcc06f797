/** The retention periods of the site, in days, from the page that the server wrote. */
import { givenSettings } from '@/lib/config'

/** The server's defaults. */
const USUAL = {
  addressDays: 30,
  voteDays: 400,
  clickDays: 90,
  totalsDays: 100,
  deliveryDays: 30,
  securityDays: 400,
  auditDays: 400,
}

export type Retention = Readonly<Record<keyof typeof USUAL, number>>

export const KEPT = Object.keys(USUAL) as (keyof typeof USUAL)[]

export function readRetention(page: Pick<Document, 'getElementById'>): Retention {
  const { retention } = givenSettings(page)
  const periods: Record<string, unknown> = typeof retention === 'object' && retention !== null ? { ...retention } : {}
  const days = KEPT.map((name) => {
    const period = periods[name]
    return [name, typeof period === 'number' && period > 0 ? period : USUAL[name]] as const
  })
  return Object.fromEntries(days) as Retention
}
