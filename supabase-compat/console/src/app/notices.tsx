/**
 * The container of notifications. Loaded beside the first screen, not before it: there are none
 * until then.
 */
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

export function Notices() {
  return <Notifications position="bottom-right" />
}
