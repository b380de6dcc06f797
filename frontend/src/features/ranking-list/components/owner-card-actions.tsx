/** Actions of owners on their server's card in the ranking. */
import { ButtonLink, IconButton } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { openPrestigeDialog } from '@/entities/prestige/dialog'
import { useLanguage } from '@/lib/i18n/use-language'
import type { ListedServer } from '../api/servers'

export function OwnerCardActions({ server, name }: { server: ListedServer; name: string }) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  return (
    <>
      <IconButton
        icon="crown"
        size="small"
        aria-haspopup="dialog"
        label={t(server.is_prestige ? 'card.extend' : 'card.promote', { name })}
        onClick={() => openPrestigeDialog({ id: server.id, name })}
      />
      <ButtonLink
        variant="quiet"
        size="small"
        icon="code"
        aria-label={t('card.api', { name })}
        to={paths.editServerIntegrations(language, { serverId: server.id })}
      >
        API
      </ButtonLink>
    </>
  )
}
