import { Button, ButtonLink } from '@/components/ui/button'
import { StateMessage } from '@/components/ui/state-message'
import { usePageTop } from '@/components/ui/use-page-top'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { AddedServer } from '../api/add-server'

/**
 * The confirmation after a server was created; a setting of the site decides whether it is visible
 * at once.
 */
export function AddConfirmation({ server, onAnother }: { server: AddedServer; onAnother: () => void }) {
  const { t } = useTranslation('own-server')
  const language = useLanguage()
  const isShown = server.is_approved && !server.is_hidden
  const place = usePageTop<HTMLDivElement>()
  return (
    <div ref={place}>
      <StateMessage
        announced
        heading="h1"
        drawing={isShown ? 'empty' : 'soon'}
        note={decodeStored(server.name)}
        title={t('added.title')}
        actions={
          <>
            <ButtonLink variant="primary" icon="eye" to={paths.server(language, server)}>
              {t('added.see')}
            </ButtonLink>
            <ButtonLink icon="edit" to={paths.editServer(language, { serverId: server.id })}>
              {t('added.edit')}
            </ButtonLink>
            <Button variant="quiet" icon="plus" onClick={onAnother}>
              {t('added.another')}
            </Button>
          </>
        }
      >
        {t(isShown ? 'added.visible' : 'added.waiting')}
      </StateMessage>
    </div>
  )
}
