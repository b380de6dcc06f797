import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, refusal, renderAt, SESSION } from '@/testing/render-screen'
import type { Backup, BackupOverview } from './api'
import { fieldsOf, minuteOf, scheduleOf } from './schedule'

const BACKUP: Backup = {
  id: 'b1',
  name: '2026-11-26T03-00-00Z-1a2b3c4d.backup',
  place: 'folder',
  origin: 'schedule',
  made_by: '',
  version: '0.1.0',
  state: 'done',
  stage: 'objects',
  bytes: 8_400_000,
  started_at: '2026-11-26T03:00:00Z',
  ended_at: '2026-11-26T03:01:00Z',
  reason: null,
  check: null,
  restore: null,
}
const OVERVIEW: BackupOverview = {
  backups: [BACKUP],
  targets: [{ place: 'folder', label: '/data/backups' }],
  schedule: null,
  obstacle: null,
  restore_obstacle: null,
  has_objects: true,
}

it('creates a backup and polls until it finishes', async () => {
  let reads = 0
  const sent = answerWith({
    'GET backups': () => {
      reads += 1
      const state = reads === 2 ? 'running' : 'done'
      return reads === 1 ? { ...OVERVIEW, backups: [] } : { ...OVERVIEW, backups: [{ ...BACKUP, state }] }
    },
    'POST backups': { id: 'b1' },
  })
  const { user } = await renderAt('/backups')
  expect(await screen.findByText('No backup yet')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Make a backup' }))
  expect(await screen.findByText('Files, 8.4 MB')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Make a backup' }).disabled).toBe(true)
  expect(await screen.findByText('Made')).toBeTruthy()
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ place: 'folder' })
})

it('shows check results and failure reasons', async () => {
  const contents = {
    format: 2,
    program: '0.1.0',
    postgresql: 17,
    has_keys: true,
    tables: 31,
    rows: 1200,
    objects: 2,
    object_bytes: 9000,
  }
  const checked: Backup = { ...BACKUP, check: { state: 'done', at: BACKUP.ended_at, reason: null, contents } }
  const unreadable: Backup = {
    ...BACKUP,
    id: 'b2',
    check: { state: 'failed', at: BACKUP.ended_at, reason: 'it ends too early', contents: null },
  }
  const failed: Backup = { ...BACKUP, id: 'b3', state: 'failed', reason: 'pg_dump: no' }
  answerWith({ 'GET backups': { ...OVERVIEW, backups: [checked, unreadable, failed] } })
  await renderAt('/backups')
  expect(await screen.findByText(/tables 31 · rows 1,200 · files 2/)).toBeTruthy()
  expect(screen.getByText('The trial failed: it ends too early')).toBeTruthy()
  expect(screen.getByText('pg_dump: no')).toBeTruthy()
  for (const state of ['Made and checked', 'Check failed', 'Failed']) expect(screen.getByText(state)).toBeTruthy()
})

it('deletes a backup after a confirmation', async () => {
  const sent = answerWith({ 'GET backups': OVERVIEW, 'DELETE backups/b1': null })
  const { user } = await renderAt('/backups')
  await user.click(await screen.findByRole('button', { name: `Actions for ${BACKUP.name}` }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog')
  expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
  await expect.poll(() => sent.some(({ method }) => method === 'DELETE')).toBe(true)
})

async function openRestore(overview: BackupOverview, answers: Record<string, unknown> = {}) {
  const sent = answerWith({ 'GET backups': overview, ...answers })
  const { user } = await renderAt('/backups')
  await user.click(await screen.findByRole('button', { name: `Actions for ${BACKUP.name}` }))
  await user.click(await screen.findByRole('menuitem', { name: 'Restore…' }))
  return { sent, user, dialog: within(await screen.findByRole('dialog')) }
}

it('requires project name and password before restore', async () => {
  let isRight = false
  const { sent, user, dialog } = await openRestore(OVERVIEW, {
    'POST backups/b1/restore': () =>
      isRight ? null : refusal(403, { error: { code: 'wrong_password', message: 'The password is wrong.' } }),
  })
  const action = dialog.getByRole('button', { name: 'Restore and lose what came since' })
  await user.type(dialog.getByLabelText(/^Your password/), 'correct horse')
  await user.type(dialog.getByRole('textbox', { name: /Name of the project/ }), 'shop')
  await user.click(action)
  expect(await dialog.findByText('This isn’t the name of the project.')).toBeTruthy()
  expect(sent.some(({ method }) => method === 'POST')).toBe(false)
  await user.clear(dialog.getByRole('textbox', { name: /Name of the project/ }))
  await user.type(dialog.getByRole('textbox', { name: /Name of the project/ }), 'notes')
  await user.click(action)
  expect(await dialog.findByText('This is not your password.')).toBeTruthy()
  isRight = true
  await user.click(action)
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  expect(sent.findLast(({ method }) => method === 'POST')?.body).toEqual({
    password: 'correct horse',
    project: 'notes',
  })
})

it('shows the restore command for an external database', async () => {
  const { dialog } = await openRestore({ ...OVERVIEW, restore_obstacle: 'given_database' })
  expect(dialog.getByText(`supabase-compat restore ${BACKUP.name} --data-dir restored`)).toBeTruthy()
  expect(dialog.queryByRole('button', { name: 'Restore and lose what came since' })).toBeNull()
})

it('shows the outcome of a restore', async () => {
  const done: Backup = { ...BACKUP, restore: { state: 'done', at: BACKUP.ended_at, by: 'ada@x.test', reason: null } }
  const failed: Backup = {
    ...BACKUP,
    id: 'b2',
    restore: { state: 'failed', at: BACKUP.ended_at, by: 'ada@x.test', reason: 'it is no archive' },
  }
  const running: Backup = {
    ...BACKUP,
    id: 'b3',
    restore: { state: 'running', at: null, by: 'ada@x.test', reason: null },
  }
  answerWith({ 'GET backups': { ...OVERVIEW, backups: [done, failed, running] } })
  await renderAt('/backups')
  expect(await screen.findByText(/^Restored on .* by ada@x.test$/)).toBeTruthy()
  expect(screen.getByText('The restore failed, and nothing changed: it is no archive')).toBeTruthy()
  expect(screen.getByText('Being restored')).toBeTruthy()
})

it('shows the list without actions to other roles', async () => {
  answerWith({
    'GET session': { ...SESSION, operator: { ...SESSION.operator, role: 'developer' } },
    'GET backups': OVERVIEW,
  })
  await renderAt('/backups')
  expect(await screen.findByText(BACKUP.name)).toBeTruthy()
  expect(screen.getByText('No backup is made by itself.')).toBeTruthy()
  for (const name of ['Make a backup', `Actions for ${BACKUP.name}`, 'Save the schedule'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

it('explains why no backup can be created', async () => {
  answerWith({ 'GET backups': { ...OVERVIEW, backups: [], obstacle: 'no_programs' } })
  await renderAt('/backups')
  expect(await screen.findByText(/There is no pg_dump/)).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Make a backup' }).disabled).toBe(true)
})

it('saves a schedule in the browser time zone', async () => {
  const sent = answerWith({
    'GET backups': OVERVIEW,
    'PUT backup-schedule': () => refusal(422, { error: { code: 'invalid_schedule', message: 'Not this.' } }),
  })
  const { user } = await renderAt('/backups')
  await user.selectOptions(await screen.findByRole('combobox', { name: 'How often' }), 'week')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Day' }), '7')
  await user.click(screen.getByRole('button', { name: 'Save the schedule' }))
  expect(await screen.findByText('Not this.')).toBeTruthy()
  expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({
    rhythm: 'week',
    weekday: 7,
    minute: 180,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    place: 'folder',
    keep_count: 14,
    keep_days: null,
  })
})

it('parses schedule times and empty limits', () => {
  expect(['03:30', '23:59', '24:00', '3:30', ''].map(minuteOf)).toEqual([210, 1439, null, null, null])
  const fields = fieldsOf({ ...OVERVIEW, targets: [] })
  expect(scheduleOf(fields, 'Europe/Paris')).toEqual({ rhythm: 'off' })
  expect(scheduleOf({ ...fields, rhythm: 'day', keepCount: '' }, 'Europe/Paris')).toMatchObject({ keep_count: null })
})
