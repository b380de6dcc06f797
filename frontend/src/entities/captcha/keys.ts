/** Cache keys for solved challenges, which only the requesting form uses. */
export const captchaKeys = {
  of: (purpose: string, serverId: string) => ['captcha', purpose, serverId] as const,
} as const
