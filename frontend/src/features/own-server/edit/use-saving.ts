/** Saves a part of a server without overwriting later changes. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, toApiError } from '@/lib/api/errors'
import { ownServerQuery, type OwnServer } from '../api/own-server'
import { removePictures } from '@/lib/api/upload'
import { saveServerMutation } from '../api/save-server'
import { conflictingFields } from '../model/conflict'
import type { ServerField } from '../model/server-fields'
import { picturesLeft, valuesOf, type ServerValues } from '../model/server-form'

/** A conflict: the current row, and the fields that both sides have changed. */
export interface Conflict {
  fresh: OwnServer
  fields: ServerField[]
}

type Values = Partial<ServerValues> & { stamp: string }

export function useSaving(server: OwnServer, userId: string) {
  const save = useMutation(saveServerMutation())
  const queries = useQueryClient()
  // A refetch while somebody types does not replace the base of the form.
  const [base, setBase] = useState(server)
  const [conflict, setConflict] = useState<Conflict | null>(null)

  async function write(stamp: string, values: Partial<ServerValues>): Promise<OwnServer> {
    const row = await save.mutateAsync({ userId, id: server.id, stamp, values })
    removePictures(userId, picturesLeft(valuesOf(base), valuesOf(row)))
    setBase(row)
    return row
  }

  async function send({ stamp, ...values }: Values): Promise<OwnServer> {
    setConflict(null)
    try {
      return await write(stamp, values)
    } catch (cause) {
      const error = toApiError(cause)
      if (error.code !== 'edited_elsewhere') throw error
      const fresh = await queries.fetchQuery({ ...ownServerQuery(userId, server.id), staleTime: 0 })
      if (fresh === null) throw new ApiError('PT404', 'The server is gone', 404)
      // The row is unchanged, so the write was refused by row security.
      if (fresh.updated_at === stamp) throw new ApiError('42501', 'Not allowed', 403)
      const known = stamp === base.updated_at ? valuesOf(base) : null
      const fields = conflictingFields(known, valuesOf(fresh), values)
      if (fields.length === 0) return write(fresh.updated_at, values)
      setConflict({ fresh, fields })
      throw error
    }
  }

  return {
    base,
    conflict,
    send,
    /** Continues from the current row. */
    accept(fresh: OwnServer) {
      setBase(fresh)
      setConflict(null)
    },
  }
}
