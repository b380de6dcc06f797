/** The tiers of Prestige that are shown in gold; a missing tier counts as one of them. */
const GOLD = ['gold', 'premium', 'PRESTIGE GOLD']

export function isGoldTier(tier: string | null): boolean {
  return tier === null || GOLD.includes(tier)
}
