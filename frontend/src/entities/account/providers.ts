/** The outside accounts a person may sign in with, as the auth service names them. */

const NAMES = {
  google: 'Google',
  discord: 'Discord',
  twitch: 'Twitch',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
  spotify: 'Spotify',
  gitlab: 'GitLab',
  twitter: 'X',
  azure: 'Microsoft',
  bitbucket: 'Bitbucket',
  figma: 'Figma',
  fly: 'Fly.io',
  kakao: 'Kakao',
  keycloak: 'Keycloak',
  linkedin_oidc: 'LinkedIn',
  notion: 'Notion',
  slack_oidc: 'Slack',
  snapchat: 'Snapchat',
  workos: 'WorkOS',
  zoom: 'Zoom',
} as const

export type ProviderId = keyof typeof NAMES

/** In the order they are offered: what players use first. */
export const PROVIDER_IDS = Object.keys(NAMES) as ProviderId[]

function isProviderId(name: string): name is ProviderId {
  return Object.hasOwn(NAMES, name)
}

/** A provider's own name; one we do not know is called as the service calls it. */
export function providerName(provider: string): string {
  return isProviderId(provider) ? NAMES[provider] : provider.replace(/^custom:/, '')
}
