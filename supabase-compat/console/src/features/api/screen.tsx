/**
 * How programs connect to the project: its address, its public key, first lines of code, and types.
 */
import { Button, SegmentedControl, Select, Skeleton, Stack, Tabs, Text } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { send, serviceRequest, serviceUrl } from '@/api/client'
import { useSession } from '@/app/session'
import { CodeBlock, CopyLine } from '@/ui/code-block'
import { ScreenFrame } from '@/ui/screen'
import { Section } from '@/ui/section'
import { EmptyState, ErrorState } from '@/ui/states'
import classes from './screen.module.css'
import { snippet, SNIPPET_LANGUAGES, SNIPPET_NAMES, type SnippetLanguage } from './snippets'
import { TryForm } from './try-form'

const TYPE_LANGUAGES = ['typescript', 'go', 'swift', 'python'] as const
const TYPE_NAMES = { typescript: 'TypeScript', go: 'Go', swift: 'Swift', python: 'Python' } as const

export function Screen() {
  const { t } = useTranslation('api')
  const { project, keys } = useSession()
  return (
    <ScreenFrame title={t('title')} description={t('description')}>
      <Stack gap="md">
        <Section title={t('address.title')}>
          <div className={classes.pairs}>
            <div>
              <Text size="sm" c="dimmed" mb={4}>
                {t('address.url')}
              </Text>
              <CopyLine value={project.api_url} label={t('address.url')} />
            </div>
            <div>
              <Text size="sm" c="dimmed" mb={4}>
                {t('address.anon')}
              </Text>
              <CopyLine value={keys.anon} label={t('address.anon')} />
            </div>
          </div>
          <Text size="sm" c="dimmed" mt="sm" maw="75ch">
            {t('address.help')}
          </Text>
        </Section>
        <Snippets />
        <TryForm />
        <Types />
      </Stack>
    </ScreenFrame>
  )
}

function Snippets() {
  const { t } = useTranslation('api')
  const { project, keys } = useSession()
  const [table, setTable] = useState<string | null>(null)
  const tables = useQuery({
    queryKey: ['api', 'tables'],
    queryFn: ({ signal }) =>
      serviceRequest<{ name: string }[]>('pg/tables', {
        query: { included_schemas: 'public', include_columns: false },
        signal,
      }),
  })
  const names = (tables.data ?? []).map(({ name }) => name)
  return (
    <Section
      title={t('snippets.title')}
      description={t('snippets.description')}
      actions={
        <Select
          aria-label={t('snippets.table')}
          placeholder={t('snippets.table')}
          data={names}
          value={table ?? names[0] ?? null}
          onChange={setTable}
          disabled={names.length === 0}
          allowDeselect={false}
          searchable
          w={200}
        />
      }
    >
      <Tabs defaultValue="javascript">
        <Tabs.List>
          {SNIPPET_LANGUAGES.map((language) => (
            <Tabs.Tab key={language} value={language}>
              {SNIPPET_NAMES[language]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SNIPPET_LANGUAGES.map((language: SnippetLanguage) => (
          <Tabs.Panel key={language} value={language} pt="sm">
            <CodeBlock
              code={snippet(language, project.api_url, keys.anon, table ?? names[0] ?? 'my_table')}
              label={SNIPPET_NAMES[language]}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  )
}

function Types() {
  const { t } = useTranslation('api')
  const [language, setLanguage] = useState<(typeof TYPE_LANGUAGES)[number]>('typescript')
  const [isWanted, setIsWanted] = useState(false)
  const types = useQuery({
    queryKey: ['api', 'types', language],
    enabled: isWanted,
    queryFn: async ({ signal }) =>
      (await send(serviceUrl(`pg/generators/${language}`, { included_schemas: 'public' }), { signal })).text(),
  })
  return (
    <Section
      title={t('types.title')}
      description={t('types.description')}
      actions={
        <SegmentedControl
          aria-label={t('types.language')}
          value={language}
          onChange={(value) => setLanguage(value as typeof language)}
          data={TYPE_LANGUAGES.map((value) => ({ value, label: TYPE_NAMES[value] }))}
        />
      }
    >
      {!isWanted ? (
        <EmptyState icon={IconCode} title={t('types.empty')}>
          <Button onClick={() => setIsWanted(true)}>{t('types.generate')}</Button>
        </EmptyState>
      ) : types.isPending ? (
        <Skeleton height={320} />
      ) : types.isError ? (
        <ErrorState error={types.error} onRetry={() => void types.refetch()} />
      ) : (
        <CodeBlock code={types.data} label={t('types.title')} maxHeight={420} />
      )}
    </Section>
  )
}
