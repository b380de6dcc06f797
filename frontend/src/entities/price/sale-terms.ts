/** The terms on which the site sells: its settings, or defaults where a setting is missing. */

export interface SaleTerms {
  /** The price of a day of an Arcade spot, in cents. */
  arcadeDailyCents: number
  /** The tax included in every price, in hundredths of a percent. */
  taxBasisPoints: number
  /** Why there is no tax, where there is none. */
  taxNote: string
  /** The number of days in which a purchase may be withdrawn from. */
  withdrawalDays: number
}

export function saleTermsOf(settings: Readonly<Record<string, unknown>> = {}): SaleTerms {
  return {
    arcadeDailyCents: integerOr(settings.arcade_spot_daily_price_cents, 1000),
    taxBasisPoints: integerOr(settings.tax_basis_points, 0),
    taxNote: typeof settings.tax_note === 'string' ? settings.tax_note : '',
    withdrawalDays: integerOr(settings.withdrawal_days, 14),
  }
}

function integerOr(value: unknown, usual: number): number {
  const number = value === null || value === undefined || value === '' ? NaN : Number(value)
  return Number.isInteger(number) && number >= 0 ? number : usual
}
