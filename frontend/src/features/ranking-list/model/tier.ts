/** The tiers of Prestige that are shown in gold; one that was never named is. */
const GOLD = ['gold', 'premium', 'PRESTIGE GOLD']

export function isGoldTier(tier: string | null): boolean {
  return tier === null || GOLD.includes(tier)
}
