/** The form of one tab: some of a server's fields, saved separately. */
import { useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { GenericSchema } from 'valibot'
import { useForm, type FormHandle } from '@/components/form/use-form'
import type { OwnServer } from '../api/own-server'
import { BLAMED } from '../model/refusals'
import type { ServerField } from '../model/server-fields'
import { valuesOf, type ServerValues } from '../model/server-form'
import { useRefusalWords } from '../model/use-refusal-words'
import { useSaving, type Conflict } from './use-saving'

export interface TabProps {
  server: OwnServer
  userId: string
}

interface EditFormOptions<Values> extends TabProps {
  schema: GenericSchema<Values, Values>
  fields: readonly ServerField[]
  /** Part of the draft's key. */
  tab: string
  /** Throws if the form must not be submitted yet. */
  check?: () => void
}

export interface EditForm<Values extends FieldValues> {
  form: FormHandle<Values, Values>
  /** The row as it was last read or saved here. */
  base: OwnServer
  conflict: Conflict | null
  discardChanges: () => void
  overwrite: () => void
  /** Changes when the form replaced a typed value by another. */
  round: number
}

export function useEditForm<Values extends FieldValues & Partial<ServerValues> & { stamp: string }>({
  server,
  userId,
  schema,
  fields,
  tab,
  check,
}: EditFormOptions<Values>): EditForm<Values> {
  const saving = useSaving(server, userId)
  const [round, setRound] = useState(0)
  const part = (row: OwnServer): Values => {
    const values = valuesOf(row)
    // The caller names the fields its schema has.
    return {
      ...Object.fromEntries(fields.map((name) => [name, values[name]])),
      stamp: row.updated_at,
    } as unknown as Values
  }
  const [defaults] = useState(() => part(server))
  const sent = useRef<Partial<Values>>({})
  const blamed = Object.entries(BLAMED).filter(([, field]) => fields.includes(field))
  const form = useForm<Values, Values, OwnServer>({
    schema,
    defaults: defaults as never,
    submit(values) {
      check?.()
      sent.current = structuredClone(form.fields.getValues())
      return saving.send(values)
    },
    // The database normalizes texts: the form continues with the stored values, except for what was
    // typed meanwhile.
    onDone: (row) =>
      begin(
        row,
        fields.filter((name) => !isSame(form.fields.getValues()[name], sent.current[name])),
      ),
    refusals: Object.fromEntries(blamed) as never,
    words: useRefusalWords('edit.failed'),
    // The draft is deleted when the session ends.
    draft: `edit-server.${server.id}.${tab}`,
  })

  /** Continues from a row, keeping typed values in some fields. */
  function begin(row: OwnServer, fieldsToKeep: readonly ServerField[]): void {
    const typed = form.fields.getValues()
    const next = part(row)
    form.fields.reset(next)
    for (const name of fieldsToKeep) form.fields.setValue(name as never, typed[name] as never, { shouldDirty: true })
    const isReplaced = fields.some((name) => !fieldsToKeep.includes(name) && !isSame(typed[name], next[name]))
    if (isReplaced) setRound((before) => before + 1)
  }

  function settle(fieldsToKeep: (conflict: Conflict) => readonly ServerField[]): void {
    const { conflict } = saving
    if (conflict === null) return
    begin(conflict.fresh, fieldsToKeep(conflict))
    saving.accept(conflict.fresh)
  }

  return {
    form,
    base: saving.base,
    conflict: saving.conflict,
    discardChanges: () => settle(({ fields: changedFields }) => fields.filter((name) => !changedFields.includes(name))),
    overwrite() {
      settle(() => fields)
      void form.send()
    },
    round,
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
