/** The audit log: changes and refusals. */
import { Badge, Button, Center, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Cell, ListTable } from '@/ui/list-table'
import { ScreenFrame } from '@/ui/screen'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { When } from '@/ui/when'
import { auditQuery } from './api'

export function Screen() {
  const { t } = useTranslation('audit')
  const audit = useInfiniteQuery(auditQuery)
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <ScreenFrame title={t('title')} description={t('description')}>
      {audit.isPending ? (
        <SkeletonRows rows={10} height={40} />
      ) : audit.isError && entries.length === 0 ? (
        <ErrorState error={audit.error} onRetry={() => void audit.refetch()} />
      ) : entries.length === 0 ? (
        <EmptyState icon={IconHistory} title={t('none.title')} text={t('none.text')} />
      ) : (
        <>
          <ListTable
            label={t('title')}
            isWrapped
            columns={[
              { key: 'what', label: t('what') },
              { key: 'who', label: t('who'), width: '24%', from: 'sm' },
              { key: 'address', label: t('address'), width: 150, from: 'md' },
              { key: 'status', label: t('status'), width: 80 },
              { key: 'when', label: t('when'), width: 'clamp(116px, 12vw, 150px)', isEnd: true },
            ]}
          >
            {entries.map(({ id, at, operator, method, path, summary, status, address }) => (
              <tr key={id}>
                <Cell title={`${method} ${path}`}>
                  {summary ? (
                    <>
                      <Text size="sm">{summary}</Text>
                      <Text size="xs" c="dimmed" className="mono">
                        {method} {path.replace(/^\/services/, '')}
                      </Text>
                    </>
                  ) : (
                    <Text size="sm" className="mono">
                      {method} {path.replace(/^\/services/, '')}
                    </Text>
                  )}
                </Cell>
                <Cell from="sm" title={operator ?? undefined}>
                  {operator ?? '–'}
                </Cell>
                <Cell from="md">
                  <span className="mono">{address ?? '–'}</span>
                </Cell>
                <Cell>
                  <Badge variant="light" color={status < 400 ? 'green' : 'red'} autoContrast>
                    {status}
                  </Badge>
                </Cell>
                <Cell isEnd>
                  <When at={at} />
                </Cell>
              </tr>
            ))}
          </ListTable>
          {audit.hasNextPage ? (
            <Center mt="md">
              <Button variant="default" loading={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
                {t('older')}
              </Button>
            </Center>
          ) : null}
        </>
      )}
    </ScreenFrame>
  )
}
