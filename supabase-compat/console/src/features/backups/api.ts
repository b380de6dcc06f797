/** Backups: the list, the schedule, and actions on one. */
import { queryOptions } from '@tanstack/react-query'
import { request } from '@/api/client'

export type Target = 'folder' | 's3'

interface Contents {
  format: number
  program: string
  postgresql: number
  has_keys: boolean
  tables: number
  rows: number
  objects: number
  object_bytes: number
}

export interface Backup {
  id: string
  name: string
  place: Target | 'elsewhere'
  origin: 'console' | 'schedule' | 'command' | 'restore'
  made_by: string
  version: string
  state: 'running' | 'done' | 'failed'
  stage: 'database' | 'objects' | 'sending'
  bytes: number
  started_at: string
  ended_at: string | null
  reason: string | null
  check: {
    state: 'running' | 'done' | 'failed'
    at: string | null
    reason: string | null
    contents: Contents | null
  } | null
  restore: {
    state: 'running' | 'done' | 'failed'
    at: string | null
    by: string | null
    reason: string | null
  } | null
}

export interface Schedule {
  rhythm: 'day' | 'week'
  /** Monday is 1. */
  weekday: number
  /** The minute of the day, in the time zone. */
  minute: number
  time_zone: string
  place: Target
  keep_count: number | null
  keep_days: number | null
  next_at: string
}

export type NewSchedule = { rhythm: 'off' } | Omit<Schedule, 'next_at'>

export interface BackupOverview {
  backups: Backup[]
  targets: { place: Target; label: string }[]
  schedule: Schedule | null
  obstacle: 'no_programs' | 'no_right' | null
  restore_obstacle: 'given_database' | null
  has_objects: boolean
}

const isBusy = ({ state, check, restore }: Backup) => [state, check?.state, restore?.state].includes('running')

export const backupsQuery = queryOptions({
  queryKey: ['backups'],
  queryFn: ({ signal }) => request<BackupOverview>('backups', { signal }),
  // A running backup is polled quickly; those that a schedule or another process starts appear a
  // little later.
  refetchInterval: ({ state }) => (state.data?.backups.some(isBusy) ? 1000 : 30_000),
})

export const makeBackup = (place: Target) => request<{ id: string }>('backups', { method: 'POST', body: { place } })
export const removeBackup = (id: string) => request<void>(`backups/${id}`, { method: 'DELETE' })
export const checkBackup = (id: string) => request<void>(`backups/${id}/check`, { method: 'POST' })
export const restoreBackup = ({ id, ...body }: { id: string; password: string; project: string }) =>
  request<void>(`backups/${id}/restore`, { method: 'POST', body })
export const saveSchedule = (body: NewSchedule) =>
  request<{ schedule: Schedule | null }>('backup-schedule', { method: 'PUT', body })

/**
 * Has the browser download a backup through an address that is valid for a minute, so that no
 * script holds the file.
 */
export async function downloadBackup(id: string): Promise<void> {
  const { url } = await request<{ url: string }>(`backups/${id}/download`, { method: 'POST' })
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
