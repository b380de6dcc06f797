import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, renderAt, SESSION, type SentRequest } from '@/testing/render-screen'
import type { AvailableFeatures } from './api'
import { addressOf } from './webhooks'

const ALL: AvailableFeatures = { cron: true, due_times: true, queues: true, vault: true, webhooks: true, calls: true }
const NONE: AvailableFeatures = {
  cron: false,
  due_times: false,
  queues: false,
  vault: false,
  webhooks: false,
  calls: false,
}

function result(...rows: object[]) {
  const names = Object.keys(rows[0] ?? {})
  return {
    columns: names.map((name) => ({ name, type: 'text' })),
    rows: rows.map((row) => names.map((name) => (row as Record<string, unknown>)[name])),
    row_count: rows.length,
    truncated: false,
    duration_ms: 1,
    command: 'SELECT',
  }
}

/** The response to a statement, by the table it reads. */
function answersOf(available: AvailableFeatures, rows: Record<string, object[]> = {}) {
  return {
    'POST query': ({ body }: SentRequest) => {
      const { query } = body as { query: string }
      if (query.includes('as cron')) return result(available)
      const table = Object.keys(rows).find((name) => query.includes(name))
      return result(...(table ? rows[table]! : []))
    },
  }
}

const statements = (sent: SentRequest[]) =>
  sent.filter(({ path }) => path === 'query').map(({ body }) => (body as { query: string }).query)

const JOB = {
  id: '7',
  name: 'nightly',
  schedule: '0 3 * * *',
  command: 'select clean()',
  username: 'postgres',
  active: true,
  next_at: '2026-01-02T03:00:00Z',
  last_status: 'failed',
  last_at: '2026-01-01T03:00:00Z',
  last_message: 'no such function',
}

it('runs a job now by making it due', async () => {
  const sent = answerWith(answersOf(ALL, { 'from cron.job as j': [JOB] }))
  const { user } = await renderAt('/integrations/cron')
  expect(await screen.findByText('nightly')).toBeTruthy()
  expect(screen.getByText('failed')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Actions for nightly' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Run now' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/update cron.job_due_times set next_at = now\(\) where jobid = 7/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Run' }))
  expect(statements(sent).some((query) => query.startsWith('update cron.job_due_times'))).toBe(true)
})

it('shows the SQL of jobs before running it', async () => {
  const sent = answerWith(answersOf(ALL, { 'from cron.job as j': [JOB] }))
  const { user } = await renderAt('/integrations/cron')
  await user.click(await screen.findByRole('button', { name: 'New job' }))
  const form = within(await screen.findByRole('dialog', { name: 'New job' }))
  await user.type(form.getByLabelText('Name'), 'clean')
  await user.type(form.getByLabelText('Schedule (UTC)'), 'each day')
  await user.type(form.getByLabelText('Command'), 'select clean()')
  await user.click(form.getByRole('button', { name: 'Show the SQL' }))
  expect(form.getByText('Five fields, a word such as @daily, or seconds up to 59.')).toBeTruthy()
  await user.click(form.getByRole('button', { name: '30 3 * * *' }))
  await user.click(form.getByRole('button', { name: 'Show the SQL' }))
  await user.click(await screen.findByRole('button', { name: 'Run' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(statements(sent)).toContain("select cron.schedule('clean', '30 3 * * *', 'select clean()');")
  await user.click(screen.getByRole('button', { name: 'Actions for nightly' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Change' }))
  await user.type(await screen.findByLabelText('Command'), ';')
  await user.click(screen.getByRole('button', { name: 'Show the SQL' }))
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(await screen.findByDisplayValue('select clean();')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Show the SQL' }))
  expect(await screen.findByText(/select cron.alter_job\(7, schedule => '0 3 \* \* \*'/)).toBeTruthy()
})

it('creates a queue and refuses invalid names', async () => {
  const sent = answerWith(answersOf(ALL))
  const { user } = await renderAt('/integrations/queues')
  await user.click(await screen.findByRole('button', { name: 'New queue' }))
  const form = within(await screen.findByRole('dialog', { name: 'New queue' }))
  await user.type(form.getByLabelText('Name'), 'My mails')
  await user.click(form.getByRole('button', { name: 'Show the SQL' }))
  expect(form.getByText(/no digit at the start/)).toBeTruthy()
  await user.clear(form.getByLabelText('Name'))
  await user.type(form.getByLabelText('Name'), 'mails')
  await user.click(form.getByRole('button', { name: 'Show the SQL' }))
  await user.click(await screen.findByRole('button', { name: 'Run' }))
  await waitFor(() => expect(statements(sent)).toContain("select pgmq.create('mails');"))
})

it('creates a webhook and shows its removal SQL', async () => {
  const hook = { schema: 'public', table: 'songs', name: 'old', enabled: true, definition: '', last_at: null }
  const table = { schema: 'public', name: 'songs', kind: 'table', estimated_rows: 0, row_security: true, policies: 1 }
  const sent = answerWith(answersOf(ALL, { 'pg_catalog.pg_trigger as t': [hook], relrowsecurity: [table] }))
  const { user } = await renderAt('/integrations/webhooks')
  await user.click(await screen.findByRole('button', { name: 'New webhook' }))
  const form = within(await screen.findByRole('dialog', { name: 'New webhook' }))
  await user.type(form.getByLabelText('Name'), 'tell')
  await user.click(form.getByRole('combobox', { name: 'Table' }))
  await user.click(await form.findByText('public.songs'))
  await user.type(form.getByLabelText('Address'), 'songs.test')
  await user.click(form.getByRole('button', { name: 'Show the SQL' }))
  expect(form.getByText('An address with http or https is needed.')).toBeTruthy()
  await user.clear(form.getByLabelText('Address'))
  await user.type(form.getByLabelText('Address'), 'https://songs.test')
  await user.click(form.getByRole('button', { name: 'Show the SQL' }))
  await user.click(await screen.findByRole('button', { name: 'Run' }))
  await waitFor(() => expect(statements(sent).some((one) => one.startsWith('create trigger "tell"'))).toBe(true))
  await user.click(screen.getByRole('button', { name: 'Actions for old' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove the webhook' }))
  expect(await screen.findByText('drop trigger "old" on "public"."songs";')).toBeTruthy()
})

it('shows how to install a missing extension', async () => {
  answerWith(answersOf(NONE))
  await renderAt('/integrations/queues')
  expect(await screen.findByText('create extension pgmq;')).toBeTruthy()
})

it('loads a decrypted secret only on click', async () => {
  const secret = {
    id: '6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a',
    name: 'stripe',
    description: '',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  }
  const sent = answerWith(
    answersOf(ALL, { 'vault.secrets': [secret], decrypted_secrets: [{ decrypted_secret: 'sk_live' }] }),
  )
  const { user } = await renderAt('/integrations/vault')
  await screen.findByText('stripe')
  expect(statements(sent).some((query) => query.includes('decrypted_secrets'))).toBe(false)
  await user.click(screen.getByRole('button', { name: 'Show stripe' }))
  expect(await screen.findByText('sk_live')).toBeTruthy()
  expect(statements(sent).at(-1)).toContain(`where id = '${secret.id}'`)
})

it('opens no secret for read-only operators', async () => {
  const secret = { id: 'a', name: 'stripe', description: '', created_at: '', updated_at: '' }
  answerWith({
    ...answersOf(ALL, { 'vault.secrets': [secret] }),
    'GET session': { ...SESSION, operator: { ...SESSION.operator, role: 'read_only' } },
  })
  await renderAt('/integrations/vault')
  await screen.findByText('stripe')
  expect(screen.queryByRole('button', { name: 'Show stripe' })).toBeNull()
})

it('sends queue messages as query parameters', async () => {
  const queue = { name: 'mails', length: 0, visible: 0, total: 3, oldest_at: null }
  const sent = answerWith(answersOf(ALL, { 'from pgmq.meta': [queue] }))
  const { user } = await renderAt('/integrations/queues')
  const field = await screen.findByRole('textbox', { name: 'New message to mails' })
  await user.click(field)
  await user.paste('{"a":')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('This is not JSON.')).toBeTruthy()
  await user.click(field)
  await user.paste('1}')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => {
    const bodies = sent.map(({ body }) => body as { query?: string; parameters?: string[] } | undefined)
    const sending = bodies.find((body) => body?.query?.includes('pgmq.send'))
    expect(sending?.parameters).toEqual(['mails', '{"a":1}'])
  })
})

it('shows the background tasks and the failed mails', async () => {
  answerWith({
    ...answersOf(ALL, {
      'pg_catalog.pg_attribute': [{ schema: 'auth', table: 'mail_queue' }],
      'as waiting': [{ waiting: 0, given_up: 1, next_due: null }],
      'reason is not null': [
        { id: '4', kind: 'recovery', attempts: 9, reason: 'refused', put_at: '2026-01-01', given_up_at: '2026-01-02' },
      ],
    }),
    'GET services/project/tasks': { tasks: [{ name: 'auth.outbox', running_for_seconds: 60, failures: 0 }] },
  })
  await renderAt('/integrations/background')
  expect(await screen.findByText('auth.outbox')).toBeTruthy()
  expect(await screen.findByText('refused')).toBeTruthy()
  expect(screen.getByText('Given up: 1')).toBeTruthy()
})

it('parses the webhook URL from its trigger', () => {
  const definition = `CREATE TRIGGER h AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION supabase_functions.http_request('http://x.test/a''b', 'POST')`
  expect(addressOf(definition)).toBe("http://x.test/a'b")
  expect(addressOf('CREATE TRIGGER')).toBe('')
})
