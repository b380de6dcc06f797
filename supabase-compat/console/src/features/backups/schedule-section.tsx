/** The schedule of backups, with their target and retention. */
import { Button, Group, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import { notify } from '@/ui/notify'
import { Section } from '@/ui/section'
import { ErrorState } from '@/ui/states'
import { backupsQuery, saveSchedule, type BackupOverview } from './api'
import { fieldsOf, minuteOf, scheduleOf, timeOf, weekdaysIn, zoneOf, type ScheduleFields } from './schedule'

interface Props {
  overview: BackupOverview
  mayChange: boolean
}

export function ScheduleSection({ overview, mayChange }: Props) {
  const { t } = useTranslation('backups')
  const formats = useFormats()
  const { schedule } = overview
  return (
    <Section
      title={t('schedule.title')}
      description={
        schedule ? t('schedule.next', { moment: formats.dateTime(schedule.next_at) }) : t('schedule.description')
      }
    >
      {mayChange ? (
        // The key resets the form when somebody else saved the schedule.
        <ScheduleForm key={JSON.stringify(schedule)} overview={overview} />
      ) : (
        <Text size="sm">
          {schedule
            ? t(`schedule.summary.${schedule.rhythm}`, { time: timeOf(schedule.minute), zone: schedule.time_zone })
            : t('schedule.none')}
        </Text>
      )}
    </Section>
  )
}

function ScheduleForm({ overview }: { overview: BackupOverview }) {
  const { t, i18n } = useTranslation('backups')
  const client = useQueryClient()
  const zone = zoneOf(overview.schedule)
  const form = useForm<ScheduleFields>({
    initialValues: fieldsOf(overview),
    validate: { time: (value) => (minuteOf(value) === null ? t('schedule.noTime') : null) },
  })
  const save = useMutation({
    meta: { isQuiet: true },
    mutationFn: saveSchedule,
    onSuccess: ({ schedule }) => {
      notify(schedule ? t('schedule.saved') : t('schedule.ended'))
      return client.invalidateQueries({ queryKey: backupsQuery.queryKey })
    },
  })
  const { rhythm } = form.values
  return (
    <form noValidate onSubmit={form.onSubmit((fields) => save.mutate(scheduleOf(fields, zone)))}>
      <Stack gap="sm" maw={560}>
        <Group gap="sm" align="flex-start">
          <NativeSelect
            label={t('schedule.rhythm')}
            data={(['off', 'day', 'week'] as const).map((value) => ({ value, label: t(`schedule.rhythms.${value}`) }))}
            {...form.getInputProps('rhythm')}
          />
          {rhythm === 'week' ? (
            <NativeSelect
              label={t('schedule.weekday')}
              data={weekdaysIn(i18n.language)}
              {...form.getInputProps('weekday')}
            />
          ) : null}
          {rhythm === 'off' ? null : (
            <TextInput
              type="time"
              label={t('schedule.time')}
              description={zone}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...form.getInputProps('time')}
            />
          )}
        </Group>
        {rhythm === 'off' ? null : (
          <>
            <NativeSelect
              label={t('schedule.place')}
              description={overview.targets.length === 1 ? t('schedule.storeHelp') : undefined}
              data={overview.targets.map(({ place, label }) => ({
                value: place,
                label: `${t(`places.${place}`)} · ${label}`,
              }))}
              {...form.getInputProps('place')}
            />
            <Group gap="sm" align="flex-start">
              <NumberInput
                label={t('schedule.keepCount')}
                min={1}
                max={1000}
                allowDecimal={false}
                w={200}
                {...form.getInputProps('keepCount')}
              />
              <NumberInput
                label={t('schedule.keepDays')}
                min={1}
                max={3650}
                allowDecimal={false}
                w={200}
                {...form.getInputProps('keepDays')}
              />
            </Group>
            <Text size="xs" c="dimmed">
              {t('schedule.keepHelp')}
            </Text>
          </>
        )}
        {save.error ? <ErrorState error={save.error} /> : null}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {t('schedule.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
