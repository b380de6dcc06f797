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

function answersOf(answeredRelation: Relation, change: (text: string) => unknown = () => result([], [])) {
  return {
    'POST query': ({ body }: SentRequest) => {
      const { query, read_only: isReadOnly } = body as { query: string; read_only: boolean }
      if (!isReadOnly) return change(query)
      return query.startsWith('select n.nspname') ? result(NAMES, LIST) : result(['relation'], [[answeredRelation]])
    },
  }
}

test('table change shows its statement before it runs', async () => {
  const statements: string[] = []
  answerWith(
    answersOf(songs, (text) => {
      statements.push(text)
      return result([], [])
    }),
  )
  const { user } = await renderAt('/tables/public/songs?view=structure')
  expect(await screen.findByText(/anybody with the public key sees all of its rows/)).toBeTruthy()
  await user.click(screen.getByRole('switch', { name: 'Row security' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('alter table "public"."songs" enable row level security;')).toBeTruthy()
  expect(statements).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Run' }))
  expect(statements).toEqual(['alter table "public"."songs" enable row level security;'])
})

test('refused change shows its error in the dialog', async () => {
  const error = { code: 'database_error', message: 'must be owner of table songs', sqlstate: '42501' }
  answerWith(answersOf(songs, () => refusal(400, { error })))
  const { user } = await renderAt('/tables/public/songs?view=structure')
  await user.click(await screen.findByRole('switch', { name: 'Row security' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Run' }))
  expect(await dialog.findByText('must be owner of table songs')).toBeTruthy()
})

test('a trigger form shows the statement', async () => {
  answerWith({
    'POST query': ({ body }: SentRequest) => {
      const { query } = body as { query: string }
      if (query.includes('prorettype')) return result(['schema', 'name'], [['public', 'touch']])
      return query.startsWith('select n.nspname') ? result(NAMES, LIST) : result(['relation'], [[songs]])
    },
  })
  const { user } = await renderAt('/tables/public/songs?view=structure')
  await user.click(await screen.findByRole('button', { name: 'Add trigger' }))
  const form = within(await screen.findByRole('dialog'))
  await user.click(form.getByRole('button', { name: 'Show SQL' }))
  expect(form.getByText('Something is still missing.')).toBeTruthy()
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'keep_time')
  await user.click(form.getByRole('combobox', { name: 'Function' }))
  await user.click(await form.findByRole('option', { name: 'public.touch' }))
  await user.click(form.getByRole('button', { name: 'Show SQL' }))
  expect(await screen.findByText(/create trigger "keep_time"\s+before insert on "public"."songs"/)).toBeTruthy()
})

test('functions are listed, and their form shows SQL', async () => {
  const routine = { id: '1', schema: 'public', name: 'greet', arguments: 'name text', identity: 'name text' }
  const more = { returns: 'text', language: 'sql', kind: 'function', security_definer: false, comment: null }
  const row = { ...routine, ...more, extension: null, definition: 'create or replace function public.greet() …' }
  answerWith({
    'POST query': ({ body }: SentRequest) => {
      const { query } = body as { query: string }
      return query.includes('pg_get_functiondef') ? result(Object.keys(row), [Object.values(row)]) : result(NAMES, LIST)
    },
  })
  const { user } = await renderAt('/tables/public?view=functions')
  expect(await screen.findByText('greet')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Add function' }))
  const form = within(await screen.findByRole('dialog'))
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'touch')
  await user.click(form.getByRole('button', { name: 'Show SQL' }))
  expect(await screen.findByText(/create or replace function "public"."touch"\(\)\s+returns trigger/)).toBeTruthy()
})

test('read-only operators see no change actions', async () => {
  const operator = { ...SESSION.operator, role: 'read_only' as const }
  answerWith({ ...answersOf(songs), 'GET session': { ...SESSION, operator } })
  await renderAt('/tables/public/songs?view=structure')
  await screen.findByRole('heading', { name: 'Columns' })
  expect(screen.queryByRole('button', { name: 'Add column' })).toBeNull()
  expect(screen.queryByRole('switch', { name: 'Row security' })).toBeNull()
})
