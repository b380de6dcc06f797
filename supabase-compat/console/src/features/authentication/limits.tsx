/** The limits, their values, and the setting of each. */
import { Code, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import { Cell, ListTable } from '@/ui/list-table'
import { Prose } from '@/ui/prose'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { limitsQuery, type LimitRow } from './api'

export function Limits() {
  const { t } = useTranslation('authentication')
  const limits = useQuery(limitsQuery)
  if (limits.isPending) return <SkeletonRows rows={10} height={48} />
  if (limits.isError) return <ErrorState error={limits.error} onRetry={() => void limits.refetch()} />
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" maw="70ch">
        <Prose text={t('settingsText')} />
      </Text>
      <ListTable
        label={t('parts.limits')}
        isWrapped
        columns={[
          { key: 'what', label: t('limits.what') },
          { key: 'value', label: t('limits.value'), width: '32%' },
          { key: 'setting', label: t('limits.setting'), width: '38%', from: 'sm' },
        ]}
      >
        {limits.data.map((limit) => (
          <tr key={limit.name}>
            <Cell>
              {t(`limits.names.${limit.name}`)}
              <Text size="xs" c="dimmed" hiddenFrom="sm" className="mono">
                {limit.variable}
              </Text>
            </Cell>
            <Cell>
              <Value limit={limit} />
            </Cell>
            <Cell from="sm">
              <Code>{limit.variable}</Code> <Code>{limit.key}</Code>
            </Cell>
          </tr>
        ))}
      </ListTable>
    </Stack>
  )
}

function Value({ limit: { value, unit } }: { limit: LimitRow }) {
  const { t } = useTranslation('authentication')
  const { number, size } = useFormats()
  if (value === null)
    return (
      <Text span size="sm" c="dimmed">
        {t('limits.none')}
      </Text>
    )
  if (unit === 'bytes') return size(value)
  return t(`limits.units.${unit}`, { value: number(value) })
}
