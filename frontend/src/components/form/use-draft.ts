/** A draft of a form, stored in this browser until the form is submitted, for a week at most. */
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { DRAFT_PREFIX, readJson, readStored, writeStored } from '@/lib/browser/stored'

const KEPT = 7 * 86_400_000
const PAUSE = 400

export interface DraftState {
  /** A stored draft was restored. */
  restored: boolean
  /** Deletes the stored draft, after a submit or on request. */
  forget: () => void
}

interface Draft {
  at: number
  values: Record<string, unknown>
}

function isDraft(value: unknown): value is Draft {
  return (
    typeof value === 'object' &&
    value !== null &&
    'at' in value &&
    typeof value.at === 'number' &&
    'values' in value &&
    typeof value.values === 'object' &&
    value.values !== null
  )
}

function read(key: string): Record<string, unknown> | null {
  const draftValues = readJson(readStored(DRAFT_PREFIX + key))
  return isDraft(draftValues) && Date.now() - draftValues.at < KEPT ? draftValues.values : null
}

function write(key: string, values: Record<string, unknown> | null): void {
  const draft: Draft | null = values && { at: Date.now(), values }
  writeStored(DRAFT_PREFIX + key, draft && JSON.stringify(draft))
}

export function useDraft<Input extends FieldValues, Output>(
  key: string | undefined,
  fields: UseFormReturn<Input, unknown, Output>,
  secrets: RefObject<ReadonlySet<string>>,
): DraftState {
  const [draftValues] = useState(() => (key === undefined ? null : read(key)))
  const [restored, setRestored] = useState(draftValues !== null)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (key === undefined) return
    if (draftValues !== null) fields.reset({ ...fields.getValues(), ...draftValues }, { keepDefaultValues: true })
    function keep(): void {
      clearTimeout(waiting.current)
      waiting.current = undefined
      const values = Object.entries(fields.getValues()).filter(([name]) => !secrets.current.has(name))
      if (key !== undefined) write(key, fields.formState.isDirty ? Object.fromEntries(values) : null)
    }
    function keepNow(): void {
      if (waiting.current !== undefined) keep()
    }
    const stop = fields.subscribe({
      formState: { values: true, isDirty: true },
      callback: () => {
        clearTimeout(waiting.current)
        waiting.current = setTimeout(keep, PAUSE)
      },
    })
    window.addEventListener('pagehide', keepNow)
    return () => {
      stop()
      window.removeEventListener('pagehide', keepNow)
      keepNow()
    }
  }, [key, draftValues, fields, secrets])

  function forget(): void {
    clearTimeout(waiting.current)
    waiting.current = undefined
    setRestored(false)
    if (key !== undefined) write(key, null)
  }

  return { restored, forget }
}
