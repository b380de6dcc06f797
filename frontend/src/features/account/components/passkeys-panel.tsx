import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { QueryStates } from '@/components/query/query-states'
import { Facts, Panel, PanelEmpty, PanelList, PanelLoading, PanelRow } from '@/components/ui/panel'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { authSettingsQuery, hasKeySupport } from '@/entities/account/auth-settings'
import { formatDate } from '@/lib/i18n/format'
import { formatRelative } from '@/lib/i18n/format-relative'
import { useLanguage } from '@/lib/i18n/use-language'
import { addPasskeyMutation, passkeysQuery, removePasskeyMutation, type Passkey } from '../api/passkeys'
import { deviceOf } from '../model/device'

/** The list of passkeys, where the site and the browser support them. */
export function PasskeysPanel() {
  const settings = useQuery(authSettingsQuery())
  return settings.data?.passkeys && hasKeySupport() ? <Passkeys /> : null
}

function Passkeys() {
  const { t } = useTranslation('account')
  const passkeys = useQuery(passkeysQuery())
  const { browser, system } = deviceOf(navigator.userAgent)
  const name = browser && system ? t('sessions.device', { browser, system }) : t('passkeys.unnamed')
  const add = useMutation(addPasskeyMutation())
  return (
    <Panel
      title={t('passkeys.title')}
      intro={t('passkeys.intro')}
      actions={
        passkeys.data && (
          <Button icon="plus" busy={add.isPending} onClick={() => add.mutate(name)}>
            {t('passkeys.add')}
          </Button>
        )
      }
    >
      <QueryStates
        query={passkeys}
        loading={<PanelLoading rows={1} />}
        failed={t('passkeys.unreadable')}
        empty={<PanelEmpty>{t('passkeys.empty')}</PanelEmpty>}
      >
        {(known) => (
          <PanelList label={t('passkeys.title')}>
            {known.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} />
            ))}
          </PanelList>
        )}
      </QueryStates>
    </Panel>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation('account')
  const language = useLanguage()
  const name = passkey.friendly_name || t('passkeys.unnamed')
  const remove = useMutation(removePasskeyMutation())
  const facts = [
    t('passkeys.addedOn', { date: formatDate(passkey.created_at, language) }),
    passkey.last_used_at && t('passkeys.used', { when: formatRelative(passkey.last_used_at, language) }),
  ]
  return (
    <PanelRow
      icon={<Icon name="key" />}
      title={name}
      details={<Facts facts={facts} />}
      action={
        <ConfirmButton
          size="small"
          variant="danger"
          aria-label={t('passkeys.removeNamed', { name })}
          title={t('passkeys.confirmTitle', { name })}
          text={t('passkeys.confirmText')}
          confirm={t('passkeys.remove')}
          onConfirm={() => remove.mutateAsync({ id: passkey.id, name })}
        >
          {t('passkeys.remove')}
        </ConfirmButton>
      }
    />
  )
}
