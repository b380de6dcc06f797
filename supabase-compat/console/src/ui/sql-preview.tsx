/** A dialog that shows statements before they run, and the database's errors. */
import { Alert, Button, Code, CopyButton, Group, Modal, ScrollArea, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { refusalText, runQuery } from '@/postgres/run-query'
import { Prose } from './prose'

export interface PreparedSql {
  title: string
  sql: string
  /** A warning about what cannot be undone. */
  warning?: string
}

interface Props {
  prepared: PreparedSql | null
  onClose: () => void
  onDone: () => void
}

export function SqlPreview({ prepared, onClose, onDone }: Props) {
  const { t } = useTranslation('shared')
  const run = useMutation({
    mutationFn: (sql: string) => runQuery({ query: sql, isReadOnly: false }),
    meta: { isQuiet: true },
    onSuccess: () => {
      onDone()
      onClose()
    },
  })
  const close = (): void => {
    run.reset()
    onClose()
  }
  return (
    <Modal
      opened={prepared !== null}
      onClose={close}
      title={prepared?.title}
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {prepared ? (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t('preview.explanation')}
          </Text>
          <ScrollArea.Autosize
            mah={360}
            viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('preview.statements') }}
          >
            <Code block>{prepared.sql}</Code>
          </ScrollArea.Autosize>
          {prepared.warning ? (
            <Alert color="orange">
              <Prose text={prepared.warning} />
            </Alert>
          ) : null}
          {run.isError ? (
            <Alert color="red" title={t('preview.refused')}>
              {refusalText(run.error)}
            </Alert>
          ) : null}
          <Group justify="flex-end" gap="xs">
            <CopyButton value={prepared.sql}>
              {({ copied, copy }) => (
                <Button variant="subtle" onClick={copy}>
                  {copied ? t('copied') : t('copy')}
                </Button>
              )}
            </CopyButton>
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button
              color={prepared.warning ? 'red' : undefined}
              loading={run.isPending}
              onClick={() => run.mutate(prepared.sql)}
            >
              {t('preview.run')}
            </Button>
          </Group>
        </Stack>
      ) : null}
    </Modal>
  )
}
