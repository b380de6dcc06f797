/** A search field whose value is part of the address; it applies after a pause in typing. */
import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
}

export function SearchField({ label, value, onChange }: Props) {
  const { t } = useTranslation('shared')
  const [text, setText] = useState(value)
  const [shownValue, setShownValue] = useState(value)
  // Going back in the history changes the value from outside.
  if (value !== shownValue) {
    setShownValue(value)
    setText(value)
  }
  const report = useDebouncedCallback(onChange, 300)
  const change = (next: string) => {
    setText(next)
    report(next.trim())
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text ? <CloseButton size="sm" aria-label={t('clear')} onClick={() => change('')} /> : null}
      style={{ flex: 1, minWidth: 150, maxWidth: 360 }}
    />
  )
}
