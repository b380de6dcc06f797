/** A text of the locales; text between backticks is code. */
import { Code } from '@mantine/core'

export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <Code key={index}>{part}</Code> : part))
}
