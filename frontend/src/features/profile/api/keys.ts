/** What this feature reads, by name. All of it belongs to the signed-in person and goes when they leave. */
export const profileKeys = {
  details: (userId: string) => ['own', 'profile-page', userId, 'details'] as const,
  servers: (userId: string) => ['own', 'profile-page', userId, 'servers'] as const,
  reviews: (userId: string) => ['own', 'profile-page', userId, 'reviews'] as const,
  warnings: (userId: string) => ['own', 'profile-page', userId, 'warnings'] as const,
  passDays: (userId: string) => ['own', 'profile-page', userId, 'pass-days'] as const,
  spots: (userId: string) => ['own', 'profile-page', userId, 'spots'] as const,
  payments: (userId: string) => ['own', 'profile-page', userId, 'payments'] as const,
}
