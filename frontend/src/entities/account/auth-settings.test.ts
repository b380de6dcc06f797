import { expect, it } from 'vitest'
import { readAuthSettings } from './auth-settings'
import { providerName } from './providers'

it('reads enabled sign-in methods in site order', () => {
  const answer = {
    external: { github: true, google: true, email: true, phone: false, unheard_of: true, azure: 'yes' },
    disable_signup: true,
    sms_provider: 'twilio',
    passkeys_enabled: true,
  }
  expect(readAuthSettings(answer)).toEqual({
    providers: ['google', 'github'],
    signUpOpen: false,
    sendsTexts: true,
    passkeys: true,
  })
})

it.each([null, 'nonsense', {}, { external: null, sms_provider: '' }])('takes %j as nothing but e-mail', (answer) => {
  expect(readAuthSettings(answer)).toEqual({ providers: [], signUpOpen: true, sendsTexts: false, passkeys: false })
})

it('calls providers by their own name', () => {
  expect(['twitter', 'linkedin_oidc', 'custom:guild'].map(providerName)).toEqual(['X', 'LinkedIn', 'guild'])
})
