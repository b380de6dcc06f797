/** The danger zone of the profile. */
import { DangerPanel } from './components/danger-panel'

export function DangerTab({ username }: { username: string }) {
  return <DangerPanel username={username} />
}
