/** Cache keys for prices. */
export const priceKeys = {
  all: ['prices'],
  prestigeSteps: ['prices', 'prestige', 'steps'],
  prestige: (days: number) => ['prices', 'prestige', days] as const,
  /** The configured price of a day, which may differ from the total of one day. */
  arcadeSetting: ['prices', 'arcade', 'setting'],
  arcade: (days: number) => ['prices', 'arcade', days] as const,
} as const
