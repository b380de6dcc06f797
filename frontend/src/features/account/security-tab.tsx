/** The security tab of the profile: password, second factors, ways to sign in, sessions. */
import { FactorsPanel } from './components/factors-panel'
import { IdentitiesPanel } from './components/identities-panel'
import { PasswordPanel } from './components/password-panel'
import { SessionsPanel } from './components/sessions-panel'

export function SecurityTab({ email }: { email: string }) {
  return (
    <>
      <PasswordPanel email={email} />
      <FactorsPanel />
      <IdentitiesPanel />
      <SessionsPanel />
    </>
  )
}
