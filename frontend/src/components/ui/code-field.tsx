import type { ChangeEvent, ReactNode } from 'react'
import { TextField } from '@/components/ui/field'
import styles from './code-field.module.css'

interface CodeFieldProps {
  label: ReactNode
  value: string
  onChange: (code: string) => void
  help?: ReactNode
  error?: ReactNode
  name?: string
  firstFocus?: boolean
}

/** Codes of apps and text messages have six digits; those of e-mails may have up to ten. */
const LONGEST = 10

/** What was typed or pasted without the spaces apps show between digits. */
function readCode(text: string): string {
  return text.replace(/\D/g, '').slice(0, LONGEST)
}

/** The field may appear in a window that is open already. */
function focus(field: HTMLInputElement | null): void {
  field?.focus()
}

/** A one-time code; phones offer the one that has just arrived. */
export function CodeField({ value, onChange, firstFocus, name = 'code', ...field }: CodeFieldProps) {
  return (
    <div className={styles.frame}>
      <TextField
        {...field}
        name={name}
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        data-first-focus={firstFocus}
        ref={firstFocus ? focus : undefined}
        value={value}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(readCode(event.target.value))}
      />
    </div>
  )
}
