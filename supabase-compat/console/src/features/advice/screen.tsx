/** The linter's notices about the schema, with the statements that fix them. */
import { Anchor, Badge, Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { IconExternalLink, IconRefresh, IconShieldCheck, IconTable, IconTool } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMayChange } from '@/app/session'
import { catalogKeys } from '@/postgres/relations'
import { CodeBlock } from '@/ui/code-block'
import { ScreenFrame } from '@/ui/screen'
import { SqlPreview, type PreparedSql } from '@/ui/sql-preview'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { useAddressState } from '@/ui/use-address-state'
import { adviceQuery, bySeverity, targetOf, type Notice } from './api'
import classes from './screen.module.css'

const COLOURS = { ERROR: 'red', WARN: 'yellow', INFO: 'gray' } as const

export function Screen() {
  const { t } = useTranslation('advice')
  const advice = useQuery(adviceQuery)
  const client = useQueryClient()
  const [prepared, setPrepared] = useState<PreparedSql | null>(null)
  const [kind, setKind] = useAddressState('kind', 'all')
  const visible = bySeverity(advice.data ?? []).filter(
    ({ categories }) => kind === 'all' || categories.some((one) => one.toLowerCase() === kind),
  )
  return (
    <ScreenFrame
      title={t('title')}
      description={t('description')}
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={advice.isRefetching}
          onClick={() => void advice.refetch()}
        >
          {t('again')}
        </Button>
      }
    >
      <SegmentedControl
        aria-label={t('kind')}
        value={kind}
        onChange={setKind}
        mb="md"
        data={(['all', 'security', 'performance'] as const).map((value) => ({ value, label: t(`kinds.${value}`) }))}
      />
      {advice.isPending ? (
        <SkeletonRows rows={4} height={96} />
      ) : advice.isError ? (
        <ErrorState error={advice.error} onRetry={() => void advice.refetch()} />
      ) : visible.length === 0 ? (
        <EmptyState icon={IconShieldCheck} title={t('none.title')} text={t('none.text')} />
      ) : (
        <ul className={classes.list}>
          {visible.map((notice) => (
            <Advice key={notice.cache_key} notice={notice} onMend={setPrepared} />
          ))}
        </ul>
      )}
      <SqlPreview
        prepared={prepared}
        onClose={() => setPrepared(null)}
        onDone={() => {
          void client.invalidateQueries({ queryKey: adviceQuery.queryKey })
          void client.invalidateQueries({ queryKey: catalogKeys.all })
        }}
      />
    </ScreenFrame>
  )
}

function Advice({ notice, onMend }: { notice: Notice; onMend: (prepared: PreparedSql) => void }) {
  const { t } = useTranslation('advice')
  const mayChange = useMayChange()
  const target = targetOf(notice)
  const { title, level, categories, detail, description, remediation, statement } = notice
  return (
    <li className={classes.notice} data-level={level}>
      <Stack gap={8}>
        <Group gap="xs">
          <Title order={2} size="h5">
            {title}
          </Title>
          <Badge variant="light" color={COLOURS[level]} autoContrast>
            {t(`levels.${level}`)}
          </Badge>
          {categories.map((category) => (
            <Badge key={category} variant="outline" color="gray">
              {t(`kinds.${category === 'SECURITY' ? 'security' : 'performance'}`)}
            </Badge>
          ))}
        </Group>
        <Text size="sm">{detail.replaceAll('\\`', '`')}</Text>
        <Text size="sm" c="dimmed" maw="80ch">
          {description}
        </Text>
        {statement ? (
          <div>
            <Text size="xs" c="dimmed" mb={4}>
              {t('statement')}
            </Text>
            <CodeBlock code={statement} label={t('statementOf', { detail })} maxHeight={240} />
          </div>
        ) : null}
        <Group gap="sm">
          {statement && mayChange ? (
            <Button
              size="xs"
              leftSection={<IconTool size={14} />}
              aria-label={t('mendNamed', { detail })}
              onClick={() => onMend({ title, sql: statement })}
            >
              {t('mend')}
            </Button>
          ) : null}
          {target ? (
            <Button
              component={Link}
              to={target.address}
              size="xs"
              variant="default"
              leftSection={<IconTable size={14} />}
            >
              {t('open', { name: target.name })}
            </Button>
          ) : null}
          {/^https?:/.test(remediation) ? (
            <Anchor href={remediation} target="_blank" rel="noreferrer" size="sm">
              {t('more')} <IconExternalLink size={13} aria-hidden />
            </Anchor>
          ) : null}
        </Group>
      </Stack>
    </li>
  )
}
