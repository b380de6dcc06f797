/** One tab: the editor, its actions, and the result. */
import { Alert, Button, Group, Menu, Select, Stack, Switch, Text, Tooltip } from '@mantine/core'
import {
  IconChevronDown,
  IconDeviceFloppy,
  IconHistory,
  IconPlayerPlay,
  IconPlayerStop,
  IconSitemap,
  IconFiles,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayChange } from '@/app/session'
import { useFormats } from '@/i18n/format'
import { namesQuery, catalogKeys } from '@/postgres/relations'
import { SkeletonRows } from '@/ui/states'
import { Editor, type EditorHandle } from './editor'
import { explainSql } from './plan'
import { Results } from './results'
import classes from './sql.module.css'
import { mayWrite, offsetOf, statementAt } from './statements'
import type { Tab } from './tabs'
import { ROW_LIMITS, useRun, type Failure } from './use-run'

const HistoryDrawer = lazy(() => import('./history-drawer').then((module) => ({ default: module.HistoryDrawer })))
const SnippetsDrawer = lazy(() => import('./snippets-drawer').then((module) => ({ default: module.SnippetsDrawer })))
const SaveDialog = lazy(() => import('./snippets-drawer').then((module) => ({ default: module.SaveDialog })))

interface Props {
  tab: Tab
  onChange: (change: Partial<Tab>) => void
  onOpen: (text: string, name?: string, snippet?: string) => void
}

export function Workspace({ tab, onChange, onOpen }: Props) {
  const { t } = useTranslation('sql')
  const { milliseconds } = useFormats()
  const client = useQueryClient()
  const mayChange = useMayChange()
  const editor = useRef<EditorHandle>(null)
  const [isReadOnly, setIsReadOnly] = useState(true)
  const [limit, setLimit] = useState<number>(ROW_LIMITS[0])
  const [dialog, setDialog] = useState<'history' | 'snippets' | 'save' | null>(null)
  const names = useQuery(namesQuery)
  const run = useRun()

  const start = async (query: string, from: number, readsOnly: boolean, prefix = 0): Promise<void> => {
    if (query.trim() === '') return
    editor.current?.showError(null)
    const failure = await run.start({ query, isReadOnly: readsOnly, limit, isPlan: prefix > 0 })
    if (failure?.refusal?.position)
      editor.current?.showError(from + Math.max(0, offsetOf(query, failure.refusal.position) - prefix))
    // A statement that wrote may have changed names of the catalog, too.
    if (!failure && !readsOnly && mayWrite(query)) void client.invalidateQueries({ queryKey: catalogKeys.all })
  }
  const runText = (readsOnly = isReadOnly): void => {
    const selection = editor.current?.selection()
    const { from, to } = selection ?? { from: 0, to: tab.text.length }
    void start(tab.text.slice(from, to), from, readsOnly)
  }
  const explain = (isAnalyzed: boolean): void => {
    const range = editor.current?.selection() ?? statementAt(tab.text, editor.current?.cursor() ?? 0)
    if (!range) return
    const statement = tab.text.slice(range.from, range.to).replace(/;\s*$/, '')
    void start(explainSql(statement, isAnalyzed), range.from, isReadOnly, explainSql('', isAnalyzed).length)
  }
  return (
    <div className={classes.workspace}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          {run.isRunning ? (
            <Button size="xs" color="red" leftSection={<IconPlayerStop size={14} />} onClick={run.cancel}>
              {t('run.cancel')}
            </Button>
          ) : (
            <Tooltip label={t('run.keys')} withArrow>
              <Button size="xs" leftSection={<IconPlayerPlay size={14} />} onClick={() => runText()}>
                {t('run.start')}
              </Button>
            </Tooltip>
          )}
          <Menu position="bottom-start" withinPortal>
            <Menu.Target>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconSitemap size={14} />}
                rightSection={<IconChevronDown size={13} />}
                disabled={run.isRunning}
              >
                {t('explain.label')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => explain(false)}>{t('explain.plan')}</Menu.Item>
              <Menu.Item onClick={() => explain(true)}>{t('explain.analyze')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Switch
            size="sm"
            color="orange"
            label={t('mode.allowWriting')}
            checked={!isReadOnly}
            disabled={!mayChange}
            onChange={(event) => setIsReadOnly(!event.currentTarget.checked)}
          />
        </Group>
        <Group gap="xs">
          <Select
            size="xs"
            w={110}
            aria-label={t('run.limit')}
            data={ROW_LIMITS.map((value) => ({ value: String(value), label: t('run.rows', { count: value }) }))}
            value={String(limit)}
            allowDeselect={false}
            onChange={(value) => setLimit(Number(value))}
          />
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDeviceFloppy size={14} />}
            disabled={!mayChange}
            onClick={() => setDialog('save')}
          >
            {t('snippets.save')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFiles size={14} />}
            onClick={() => setDialog('snippets')}
          >
            {t('snippets.label')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconHistory size={14} />}
            onClick={() => setDialog('history')}
          >
            {t('history.label')}
          </Button>
        </Group>
      </Group>
      <div className={classes.editor}>
        <Editor
          ref={editor}
          label={t('editor.label')}
          hint={t('editor.hint')}
          text={tab.text}
          names={names.data ?? NO_NAMES}
          onChange={(text) => onChange({ text })}
          onRun={() => runText()}
        />
      </div>
      <div role="status" aria-live="polite">
        {run.isRunning ? (
          <Text size="xs" c="dimmed">
            {t('run.running')}
          </Text>
        ) : run.response ? (
          <Text size="xs" c="dimmed" className="figures">
            {t('run.done', { time: milliseconds(run.response.duration_ms) })}
          </Text>
        ) : null}
        {run.failure ? (
          <FailureAlert
            failure={run.failure}
            text={tab.text}
            isReadOnly={isReadOnly}
            mayChange={mayChange}
            onAllow={() => {
              setIsReadOnly(false)
              runText(false)
            }}
          />
        ) : null}
      </div>
      <div className={classes.results}>
        {run.isRunning && !run.response ? <SkeletonRows rows={5} height={28} /> : <Results run={run} />}
      </div>
      <Suspense>
        {dialog === 'history' ? <HistoryDrawer onClose={() => setDialog(null)} onOpen={onOpen} /> : null}
        {dialog === 'snippets' ? <SnippetsDrawer onClose={() => setDialog(null)} onOpen={onOpen} /> : null}
        {dialog === 'save' ? (
          <SaveDialog tab={tab} onClose={() => setDialog(null)} onSaved={(name) => onChange({ name, snippet: name })} />
        ) : null}
      </Suspense>
    </div>
  )
}

const NO_NAMES: never[] = []

interface FailureProps {
  failure: Failure
  text: string
  isReadOnly: boolean
  mayChange: boolean
  onAllow: () => void
}

/** The SQLSTATE of a write in a read-only transaction. */
const READ_ONLY_TRANSACTION = '25006'

function FailureAlert({ failure, isReadOnly, mayChange, onAllow }: FailureProps) {
  const { t } = useTranslation('sql')
  const { refusal, error } = failure
  const isRefusedToWrite = refusal?.sqlstate === READ_ONLY_TRANSACTION && isReadOnly
  return (
    <Alert color="red" py={8} title={refusal?.sqlstate ? `${error.message} (${refusal.sqlstate})` : error.message}>
      <Stack gap={4} align="flex-start">
        {refusal?.detail ? <Text size="sm">{refusal.detail}</Text> : null}
        {refusal?.hint ? <Text size="sm">{t('run.hint', { hint: refusal.hint })}</Text> : null}
        {isRefusedToWrite ? <Text size="sm">{mayChange ? t('mode.refused') : t('mode.role')}</Text> : null}
        {isRefusedToWrite && mayChange ? (
          <Button size="compact-sm" variant="default" onClick={onAllow}>
            {t('mode.allow')}
          </Button>
        ) : null}
      </Stack>
    </Alert>
  )
}
