import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Relation } from '@/postgres/catalog'
import { answerWith, refusal, renderAt, SESSION, type SentRequest } from '@/testing/render-screen'
import { column, relation } from './test-relation'

const songs = relation([column('id', 'bigint'), column('owner', 'uuid', { nullable: true })], {
  row_security: false,
  readable_by: ['anon'],
})
const LIST = [['public', 'songs', 'table', 12, false, 0]]
const NAMES = ['schema', 'name', 'kind', 'estimated_rows', 'row_security', 'policies']

const result = (names: string[], rows: unknown[][]) => ({
  columns: names.map((name) => ({ name, type: 'text' })),
  rows,
  row_count: rows.length,
  truncated: false,
  duration_ms: 1,
  command: 'SELECT',
})

function answersOf(own: Relation, change: (text: string) => unknown = () => result([], [])) {
  return {
    'POST query': ({ body }: SentRequest) => {
      const { query, read_only: isReadOnly } = body as { query: string; read_only: boolean }
      if (!isReadOnly) return change(query)
      return query.startsWith('select n.nspname') ? result(NAMES, LIST) : result(['relation'], [[own]])
    },
  }
}

test('a change of a table shows its statement before it runs', async () => {
  const ran: string[] = []
  answerWith(
    answersOf(songs, (text) => {
      ran.push(text)
      return result([], [])
    }),
  )
  const { user } = await renderAt('/tables/public/songs?view=structure')
  expect(await screen.findByText(/anybody with the public key sees all of its rows/)).toBeTruthy()
  await user.click(screen.getByRole('switch', { name: 'Row security' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('alter table "public"."songs" enable row level security;')).toBeTruthy()
  expect(ran).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Run' }))
  expect(ran).toEqual(['alter table "public"."songs" enable row level security;'])
})

test('a refused change says why and stays open', async () => {
  const error = { code: 'database_error', message: 'must be owner of table songs', sqlstate: '42501' }
  answerWith(answersOf(songs, () => refusal(400, { error })))
  const { user } = await renderAt('/tables/public/songs?view=structure')
  await user.click(await screen.findByRole('switch', { name: 'Row security' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Run' }))
  expect(await dialog.findByText('must be owner of table songs')).toBeTruthy()
})

test('who only reads is offered no change', async () => {
  const operator = { ...SESSION.operator, role: 'read_only' as const }
  answerWith({ ...answersOf(songs), 'GET session': { ...SESSION, operator } })
  await renderAt('/tables/public/songs?view=structure')
  await screen.findByRole('heading', { name: 'Columns' })
  expect(screen.queryByRole('button', { name: 'Add column' })).toBeNull()
  expect(screen.queryByRole('switch', { name: 'Row security' })).toBeNull()
})
