/** Keys of the cache for prices. */
export const priceKeys = {
  all: ['prices'],
  prestigeSteps: ['prices', 'prestige', 'steps'],
  prestige: (days: number) => ['prices', 'prestige', days] as const,
  /** The price of a day as it is set, which a sum of one day need not be. */
  arcadeSetting: ['prices', 'arcade', 'setting'],
  arcade: (days: number) => ['prices', 'arcade', days] as const,
} as const
