/** The names of a setting: its variable and its key, each with a copy button. */
import { Code, Text } from '@mantine/core'
import type { SettingNames as Names } from './api'

export function SettingNames({ names: [variable, key] }: { names: Names }) {
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      <Code>{variable}</Code> · <Code>{key}</Code>
    </Text>
  )
}
