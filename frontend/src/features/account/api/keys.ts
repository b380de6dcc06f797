/** What this feature reads, by name. All of it belongs to the signed-in person and goes when they leave. */
export const accountKeys = {
  user: ['own', 'account', 'user'] as const,
  sessions: ['own', 'account', 'sessions'] as const,
  passkeys: ['own', 'account', 'passkeys'] as const,
}
