import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, renderAt, SESSION, type SentRequest } from '@/testing/render-screen'

const NOTICE = {
  name: 'rls_disabled_in_public',
  title: 'Row security is off',
  level: 'ERROR',
  categories: ['SECURITY'],
  description: 'Anybody reads it.',
  detail: 'Table songs',
  remediation: 'https://example.test/advice',
  metadata: { type: 'table', schema: 'public', name: 'songs' },
  cache_key: 'one',
  statement: 'alter table public.songs enable row level security;',
}
const ANSWERS = {
  'GET services/advisors/v1': { lints: [NOTICE, { ...NOTICE, cache_key: 'two', detail: 'Other', statement: null }] },
}

it('runs the statement of a notice after confirmation', async () => {
  const statements: string[] = []
  answerWith({
    ...ANSWERS,
    'POST query': ({ body }: SentRequest) => {
      statements.push((body as { query: string }).query)
      return { columns: [], rows: [], row_count: 0, truncated: false, duration_ms: 1, command: 'ALTER TABLE' }
    },
  })
  const { user } = await renderAt('/advice')
  await user.click(await screen.findByRole('button', { name: 'Mend: Table songs' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(statements).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Run' }))
  expect(statements).toEqual([NOTICE.statement])
  expect(screen.queryByRole('button', { name: 'Mend: Other' })).toBeNull()
})

it('links to the table of a notice', async () => {
  answerWith({ ...ANSWERS, 'GET session': { ...SESSION, operator: { ...SESSION.operator, role: 'read_only' } } })
  await renderAt('/advice')
  const [link] = await screen.findAllByRole('link', { name: 'Open songs' })
  expect(link?.getAttribute('href')).toBe('/tables/public/songs?view=structure')
  expect(screen.queryByRole('button', { name: /Mend/ })).toBeNull()
})
