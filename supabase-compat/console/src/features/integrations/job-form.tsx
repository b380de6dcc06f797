/**
 * The form for a new cron job, or for the schedule and command of an existing one; its name cannot
 * be changed.
 */
import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { Prose } from '@/ui/prose'
import type { PreparedSql } from '@/ui/sql-preview'
import type { CronJob } from './api'
import { StatementDialog } from './statement-dialog'
import { changeJobSql, createJobSql, isSchedule } from './statements'

/** The most common schedules. */
const COMMON_SCHEDULES = ['*/5 * * * *', '0 * * * *', '30 3 * * *', '0 6 * * 1']

interface Props {
  /** Null for a new one. */
  job: CronJob | null
  /** The statement is shown: the form stays mounted behind it, so that its input is there again. */
  isCovered: boolean
  onClose: () => void
  onPrepare: (prepared: PreparedSql) => void
}

export function JobForm({ job, isCovered, onClose, onPrepare }: Props) {
  const { t } = useTranslation('integrations')
  const title = job ? t('cron.change') : t('cron.new')
  const form = useForm({
    initialValues: { name: job?.name ?? '', schedule: job?.schedule ?? '', command: job?.command ?? '' },
    validate: {
      name: (name) => (job || name.trim() !== '' ? null : t('needed')),
      schedule: (schedule) => (isSchedule(schedule) ? null : t('cron.wrongSchedule')),
      command: (command) => (command.trim() === '' ? t('needed') : null),
    },
  })
  return (
    <StatementDialog
      title={title}
      isCovered={isCovered}
      onClose={onClose}
      onSubmit={form.onSubmit((draft) =>
        onPrepare({ title, sql: job ? changeJobSql(job, draft) : createJobSql(draft) }),
      )}
    >
      {job ? null : (
        <TextInput
          data-autofocus
          label={t('cron.name')}
          placeholder="clean-up"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('name')}
        />
      )}
      <TextInput
        label={t('cron.schedule')}
        description={<Prose text={t('cron.scheduleHelp')} />}
        placeholder="30 3 * * *"
        autoComplete="off"
        spellCheck={false}
        className="mono"
        {...form.getInputProps('schedule')}
      />
      <Group gap={6}>
        {COMMON_SCHEDULES.map((schedule) => (
          <Button
            key={schedule}
            size="compact-xs"
            variant="default"
            className="mono"
            onClick={() => form.setFieldValue('schedule', schedule)}
          >
            {schedule}
          </Button>
        ))}
      </Group>
      <Textarea
        label={t('cron.command')}
        description={t('cron.commandHelp')}
        placeholder="delete from logs where at < now() - interval '7 days'"
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
        {...form.getInputProps('command')}
      />
    </StatementDialog>
  )
}
