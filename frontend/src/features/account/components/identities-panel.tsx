import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { textOf, useTranslation } from '@/lib/i18n/i18n'
import { QueryStates } from '@/components/query/query-states'
import { Panel, PanelEmpty, PanelList, PanelLoading, PanelRow } from '@/components/ui/panel'
import { ProviderMark } from '@/components/account/provider-mark'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { showToast } from '@/components/ui/toast-store'
import { authSettingsQuery } from '@/entities/account/auth-settings'
import { departureFor } from '@/entities/account/departure'
import { providerName, type ProviderId } from '@/entities/account/providers'
import { ApiError } from '@/lib/api/errors'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import { linkIdentityMutation, unlinkIdentityMutation } from '../api/identities'
import { userQuery, type User, type UserIdentity } from '../api/user'
import { ACCOUNT_REFUSALS } from '../model/refusals'
import { refusalKey } from '@/lib/i18n/refusal'
import { ConfirmButton } from '@/components/ui/confirm-button'

const identitiesOf = ({ identities = [] }: User): UserIdentity[] => identities

/** Ways to sign in: the email address and linked outside accounts. */
export function IdentitiesPanel() {
  const { t } = useTranslation('account')
  const identities = useQuery({ ...userQuery(), select: identitiesOf })
  const settings = useQuery(authSettingsQuery())
  const linked = new Set(identities.data?.map((identity) => identity.provider))
  const offered = (settings.data?.providers ?? []).filter((provider) => !linked.has(provider))
  useLinkingOutcome(identities.data)
  return (
    <Panel
      title={t('identities.title')}
      intro={t('identities.intro')}
      actions={identities.data && offered.length > 0 && <LinkButtons providers={offered} />}
    >
      <QueryStates
        query={identities}
        loading={<PanelLoading rows={1} />}
        failed={t('identities.unreadable')}
        empty={<PanelEmpty>{t('identities.empty')}</PanelEmpty>}
      >
        {(known) => (
          <PanelList label={t('identities.title')}>
            {known.map((identity) => (
              <IdentityRow key={identity.identity_id} identity={identity} isOnly={known.length === 1} />
            ))}
          </PanelList>
        )}
      </QueryStates>
    </Panel>
  )
}

function LinkButtons({ providers }: { providers: readonly ProviderId[] }) {
  const { t } = useTranslation('account')
  const language = useLanguage()
  const link = useMutation(linkIdentityMutation())
  const returnTo = `${paths.profile(language)}?tab=security`
  return providers.map((provider) => (
    <Button
      key={provider}
      busy={link.variables?.provider === provider && (link.isPending || link.isSuccess)}
      onClick={() => link.mutate({ provider, returnTo })}
    >
      <ProviderMark provider={provider} />
      {t('identities.link', { provider: providerName(provider) })}
    </Button>
  ))
}

function IdentityRow({ identity, isOnly }: { identity: UserIdentity; isOnly: boolean }) {
  const { t } = useTranslation('account')
  const name = identity.provider === 'email' ? t('identities.email') : providerName(identity.provider)
  const known: unknown = identity.identity_data?.email ?? identity.identity_data?.name
  const unlink = useMutation(unlinkIdentityMutation())
  return (
    <PanelRow
      icon={
        identity.provider === 'email' ? <Icon name="mail" /> : <ProviderMark provider={identity.provider} size={20} />
      }
      title={name}
      details={typeof known === 'string' ? known : undefined}
      action={
        identity.provider !== 'email' &&
        !isOnly && (
          <ConfirmButton
            size="small"
            aria-label={t('identities.unlinkNamed', { provider: name })}
            title={t('identities.confirmTitle', { provider: name })}
            text={t('identities.confirmText', { provider: name })}
            confirm={t('identities.unlink')}
            onConfirm={() => unlink.mutateAsync(identity)}
          >
            {t('identities.unlink')}
          </ConfirmButton>
        )
      }
    />
  )
}

function whyNotLinked(code: string): string | null {
  const key = refusalKey(new ApiError(code, '', 0), ACCOUNT_REFUSALS)
  return key && textOf(key)
}

/** Says once, after the return from the provider, whether the account was linked. */
function useLinkingOutcome(identities: readonly UserIdentity[] | undefined): void {
  const { t } = useTranslation('account')
  const { arrival } = useSession()
  useEffect(() => {
    if (identities === undefined || !arrival.byLink) return
    const provider = departureFor('link')
    if (provider === null) return
    const label = providerName(provider)
    if (arrival.refusal !== null)
      showToast({
        tone: 'danger',
        title: t('identities.notLinked'),
        description: whyNotLinked(arrival.refusal) ?? t('identities.refused', { provider: label }),
      })
    else if (identities.some((identity) => identity.provider === provider))
      showToast({ tone: 'success', title: t('identities.linked', { provider: label }) })
  }, [identities, arrival, t])
}
