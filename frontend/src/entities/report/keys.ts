/** Cache keys for a report without an account. */
export const reportKeys = {
  target: (server: string, review: string) => ['notice', server, review] as const,
} as const
