/** Where short notices appear. They come beside the first screen and not before it: nothing is told until then. */
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

export function Notices() {
  return <Notifications position="bottom-right" />
}
