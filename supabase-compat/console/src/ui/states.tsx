/** The states of loaded content: empty, failed, loading. */
import { Alert, Button, Center, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconAlertTriangle, type Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from './error-text'
import { Prose } from './prose'

/** Says why nothing is here and what to do next. */
export function EmptyState({
  icon: Picture,
  title,
  text,
  isPage = false,
  children,
}: {
  icon: Icon
  title: string
  text?: string
  /** Whether the state is the only content of the page. */
  isPage?: boolean
  children?: ReactNode
}) {
  return (
    <Center py={64} px="md">
      <Stack align="center" gap="xs" maw={440}>
        <ThemeIcon size={52} radius="xl" variant="light" mb={4}>
          <Picture size={26} stroke={1.5} />
        </ThemeIcon>
        <Title order={isPage ? 1 : 2} size="h4" ta="center">
          {title}
        </Title>
        {text ? (
          <Text c="dimmed" ta="center" size="sm">
            <Prose text={text} />
          </Text>
        ) : null}
        {children ? <div style={{ marginTop: 12 }}>{children}</div> : null}
      </Stack>
    </Center>
  )
}

/** Says what happened and offers to try again. */
export function ErrorState({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const { t } = useTranslation('shared')
  const errorText = useErrorText()
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={t('failed')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{errorText(error)}</Text>
        {onRetry ? (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('tryAgain')}
          </Button>
        ) : null}
      </Stack>
    </Alert>
  )
}

/** Placeholders for `rows` rows with the height of the list's rows. */
export function SkeletonRows({ rows = 8, height = 36 }: { rows?: number; height?: number }) {
  const { t } = useTranslation('shared')
  return (
    <Stack gap={6} role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={height} radius="sm" />
      ))}
    </Stack>
  )
}
