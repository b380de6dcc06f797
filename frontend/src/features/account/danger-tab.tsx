/** The tab with the irreversible actions of the profile. */
import { DangerPanel } from './components/danger-panel'

export function DangerTab({ username }: { username: string }) {
  return <DangerPanel username={username} />
}
