/** Keys of the cache for solved challenges, kept by nobody but the form that asked. */
export const captchaKeys = {
  of: (purpose: string, serverId: string) => ['captcha', purpose, serverId] as const,
} as const
