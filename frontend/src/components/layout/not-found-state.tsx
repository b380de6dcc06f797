import type { ReactNode } from 'react'
import { ButtonLink } from '@/components/ui/button'
import type { IconName } from '@/components/ui/icon'
import { StateMessage } from '@/components/ui/state-message'
import { useTranslation } from '@/lib/i18n/i18n'
import { useDocumentHead } from '@/lib/routing/use-document-head'

interface NotFoundStateProps {
  title: string
  /** A link to another page. */
  link: { to: string; label: string; icon?: IconName }
  children?: ReactNode
}

/** Replaces a page about a thing that does not exist; search engines do not index it. */
export function NotFoundState({ title, link: { label, ...link }, children }: NotFoundStateProps) {
  const { t } = useTranslation('seo')
  useDocumentHead({ title: t('notFound.title'), description: t('notFound.description'), indexed: false })
  return (
    <StateMessage
      heading="h1"
      drawing="lost"
      title={title}
      actions={
        <ButtonLink variant="primary" {...link}>
          {label}
        </ButtonLink>
      }
    >
      {children}
    </StateMessage>
  )
}
