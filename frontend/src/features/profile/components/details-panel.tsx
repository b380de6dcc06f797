import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { FormLoading } from '@/components/form/form-loading'
import { QueryStates } from '@/components/query/query-states'
import { Button } from '@/components/ui/button'
import { KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { lazyModule, lazyComponent, loadWithRetry } from '@/lib/browser/lazy'
import { DRAFT_PREFIX, readStored } from '@/lib/browser/stored'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGE_NAMES } from '@/lib/i18n/languages'
import { useLanguage } from '@/lib/i18n/use-language'
import { detailsQuery, type Details } from '../api/details'

const form = lazyModule(() => import('./details-form'))
const DetailsForm = lazyComponent(form, (module) => module.DetailsForm)

interface DetailsPanelProps {
  userId: string
  email: string
}

/** The person's details; a form once the person edits them, or has a draft. */
export function DetailsPanel({ userId, email }: DetailsPanelProps) {
  const { t } = useTranslation('profile')
  const details = useQuery(detailsQuery(userId))
  const draft = `profile.${userId}`
  const [mode, setMode] = useState<'read' | 'resumed' | 'edit' | 'closed'>(() =>
    readStored(DRAFT_PREFIX + draft) === null ? 'read' : 'resumed',
  )
  const isEditing = mode === 'edit' || mode === 'resumed'
  const warm = () => void loadWithRetry(form)
  return (
    <Panel
      title={t('details.title')}
      intro={t('details.intro')}
      actions={
        !isEditing &&
        (details.isPending || details.data) && (
          <Button
            icon="edit"
            disabled={details.isPending}
            ref={mode === 'closed' ? focusOnce : undefined}
            onPointerEnter={warm}
            onFocus={warm}
            onClick={() => setMode('edit')}
          >
            {t('details.edit')}
          </Button>
        )
      }
    >
      <QueryStates
        query={details}
        loading={<DetailsList email={email} details={null} />}
        failed={t('details.unreadable')}
      >
        {(row) =>
          isEditing ? (
            <Suspense fallback={<FormLoading fields={3} />}>
              <DetailsForm
                userId={userId}
                email={email}
                details={row}
                draft={draft}
                takesFocus={mode === 'edit'}
                onClose={() => setMode('closed')}
              />
            </Suspense>
          ) : (
            <DetailsList email={email} details={row} />
          )
        }
      </QueryStates>
    </Panel>
  )
}

/** While loading, placeholders of the same size. */
function DetailsList({ email, details }: { email: string; details: Details | null }) {
  const { t } = useTranslation('profile')
  const current = useLanguage()
  const waiting = <Skeleton width="8rem" height="1lh" />
  return (
    <KeyValues
      facts={[
        { name: t('details.username'), value: details?.username ?? waiting },
        { name: t('details.email'), value: email },
        { name: t('details.language'), value: details ? LANGUAGE_NAMES[details.language ?? current] : waiting },
        {
          name: t('details.weeklyMail'),
          value: details ? t(details.weeklyMail ? 'details.on' : 'details.off') : waiting,
        },
      ]}
    />
  )
}

function focusOnce(element: HTMLElement | null): void {
  element?.focus()
}
