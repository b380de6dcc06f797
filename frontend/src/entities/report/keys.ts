/** Keys of the cache for what somebody without an account is about to report. */
export const reportKeys = {
  target: (server: string, review: string) => ['notice', server, review] as const,
} as const
