/** The security tab of the profile: password, second factors, passkeys, ways to sign in, sessions. */
import { FactorsPanel } from './components/factors-panel'
import { IdentitiesPanel } from './components/identities-panel'
import { PasskeysPanel } from './components/passkeys-panel'
import { PasswordPanel } from './components/password-panel'
import { SessionsPanel } from './components/sessions-panel'

export function SecurityTab({ email }: { email: string }) {
  return (
    <>
      <PasswordPanel email={email} />
      <FactorsPanel />
      <PasskeysPanel />
      <IdentitiesPanel />
      <SessionsPanel />
    </>
  )
}
