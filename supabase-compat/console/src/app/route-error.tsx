/** Replaces a screen that does not exist or crashed. */
import { Button, Group } from '@mantine/core'
import { IconMoodConfuzed } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useRouteError } from 'react-router'
import { EmptyState } from '@/ui/states'

export function RouteError({ isMissing = false }: { isMissing?: boolean }) {
  const { t } = useTranslation('shell')
  const error = useRouteError()
  return (
    <EmptyState
      isPage
      icon={IconMoodConfuzed}
      title={isMissing ? t('missing.title') : t('broken.title')}
      text={isMissing ? t('missing.text') : error instanceof Error ? error.message : t('broken.text')}
    >
      <Group>
        <Button component={Link} to="/overview" variant="default">
          {t('toOverview')}
        </Button>
        {isMissing ? null : <Button onClick={() => location.reload()}>{t('reload')}</Button>}
      </Group>
    </EmptyState>
  )
}
