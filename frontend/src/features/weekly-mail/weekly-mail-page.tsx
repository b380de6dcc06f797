import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { Button, ButtonLink } from '@/components/ui/button'
import { FailedState } from '@/components/ui/failed-state'
import { Spinner } from '@/components/ui/spinner'
import { StateMessage } from '@/components/ui/state-message'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { weeklyMailMutation } from './api/weekly-mail'

/**
 * The page behind the link in a weekly summary: opening it unsubscribes, and a button subscribes
 * again.
 */
export function WeeklyMailPage() {
  const { t } = useTranslation('weekly-mail')
  const language = useLanguage()
  const [query] = useSearchParams()
  const holder = { owner: query.get('owner') ?? '', token: query.get('token') ?? '' }
  const { mutate, ...mutation } = useMutation(weeklyMailMutation(holder))
  const isComplete = holder.owner !== '' && holder.token !== ''
  // The click on the link was the confirmation.
  useEffect(() => {
    if (isComplete) mutate(false)
  }, [isComplete, mutate])
  const homeLink = (
    <ButtonLink icon="home" to={paths.home(language)}>
      {t('home')}
    </ButtonLink>
  )
  if (!isComplete)
    return (
      <StateMessage
        heading="h1"
        drawing="failed"
        title={t('incomplete.title')}
        actions={
          <>
            <ButtonLink icon="user" to={paths.profile(language)}>
              {t('incomplete.profile')}
            </ButtonLink>
            {homeLink}
          </>
        }
      >
        {t('incomplete.text')}
      </StateMessage>
    )
  if (mutation.isError)
    return (
      <FailedState heading="h1" title={t('failed.title')} onRetry={() => mutate(mutation.variables)}>
        {t('failed.text')}
      </FailedState>
    )
  if (!mutation.isSuccess) return <Spinner />
  if (mutation.variables)
    return (
      <StateMessage announced heading="h1" drawing="empty" title={t('begun.title')} actions={homeLink}>
        {t('begun.text')}
      </StateMessage>
    )
  return (
    <StateMessage
      announced
      heading="h1"
      drawing="empty"
      title={t('ended.title')}
      actions={
        <>
          <Button icon="mail" onClick={() => mutate(true)}>
            {t('ended.again')}
          </Button>
          {homeLink}
        </>
      }
    >
      {t('ended.text')}
    </StateMessage>
  )
}
