/** Which setting changes something: its variable and its key, both to be copied by hand. */
import { Code, Text } from '@mantine/core'
import type { SettingNames as Names } from './api'

export function SettingNames({ names: [variable, key] }: { names: Names }) {
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      <Code>{variable}</Code> · <Code>{key}</Code>
    </Text>
  )
}
