/** The outside accounts for signing in, by the names of the auth service. */

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

/** In the order in which they are offered: the most used by players first. */
export const PROVIDER_IDS = Object.keys(NAMES) as ProviderId[]

function isProviderId(name: string): name is ProviderId {
  return Object.hasOwn(NAMES, name)
}

/** A provider's display name; an unknown provider keeps the service's name. */
export function providerName(provider: string): string {
  return isProviderId(provider) ? NAMES[provider] : provider.replace(/^custom:/, '')
}
