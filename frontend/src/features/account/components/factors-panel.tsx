import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { QueryStates } from '@/components/query/query-states'
import { Facts, Panel, PanelEmpty, PanelList, PanelLoading, PanelRow } from '@/components/ui/panel'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { authSettingsQuery, hasKeySupport } from '@/entities/account/auth-settings'
import { formatDate } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import { addKeyMutation, removeFactorMutation } from '../api/factors'
import { userQuery, type Factor, type User } from '../api/user'
import { freeName } from '../model/free-name'
import { maskedPhone } from '../model/phone'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { PhoneSetupDialog } from './phone-setup-dialog'
import { TotpSetupDialog } from './totp-setup-dialog'

const verifiedFactors = ({ factors = [] }: User): Factor[] => factors.filter(({ status }) => status === 'verified')

/** The list of second factors, with buttons to add and remove them. */
export function FactorsPanel() {
  const { t } = useTranslation('account')
  const factors = useQuery({ ...userQuery(), select: verifiedFactors })
  const settings = useQuery(authSettingsQuery())
  const [setup, setSetup] = useState<'totp' | 'phone' | null>(null)
  const names = (factors.data ?? []).map((factor) => factor.friendly_name ?? '')
  return (
    <Panel
      title={t('factors.title')}
      intro={t('factors.intro')}
      actions={
        factors.data && (
          <>
            <Button icon="plus" onClick={() => setSetup('totp')}>
              {t('factors.addApp')}
            </Button>
            {settings.data?.sendsTexts && (
              <Button icon="plus" onClick={() => setSetup('phone')}>
                {t('factors.addPhone')}
              </Button>
            )}
            {settings.data?.passkeys && hasKeySupport() && <KeyButton usedNames={names} />}
          </>
        )
      }
    >
      <QueryStates
        query={factors}
        loading={<PanelLoading rows={1} />}
        failed={t('factors.unreadable')}
        empty={<PanelEmpty>{t('factors.empty')}</PanelEmpty>}
      >
        {(known) => (
          <PanelList label={t('factors.title')}>
            {known.map((factor) => (
              <FactorRow key={factor.id} factor={factor} />
            ))}
          </PanelList>
        )}
      </QueryStates>
      {setup === 'totp' && <TotpSetupDialog usedNames={names} onClose={() => setSetup(null)} />}
      {setup === 'phone' && <PhoneSetupDialog usedNames={names} onClose={() => setSetup(null)} />}
    </Panel>
  )
}

/** The browser runs the whole ceremony, so there is no form. */
function KeyButton({ usedNames }: { usedNames: readonly string[] }) {
  const { t } = useTranslation('account')
  const add = useMutation(addKeyMutation())
  return (
    <Button icon="plus" busy={add.isPending} onClick={() => add.mutate(freeName(t('factors.kind.key'), usedNames))}>
      {t('factors.addKey')}
    </Button>
  )
}

function FactorRow({ factor }: { factor: Factor }) {
  const { t } = useTranslation('account')
  const language = useLanguage()
  const remove = useMutation(removeFactorMutation())
  const kind = factor.factor_type === 'phone' ? 'phone' : factor.factor_type === 'totp' ? 'totp' : 'key'
  const label = t(`factors.kind.${kind}`)
  const name = factor.friendly_name || label
  const phone = 'phone' in factor && typeof factor.phone === 'string' ? maskedPhone(factor.phone) : null
  return (
    <PanelRow
      icon={<Icon name={kind === 'phone' ? 'phone' : kind === 'totp' ? 'shield' : 'key'} />}
      title={name}
      badge={
        <Badge tone="online" icon="check">
          {t('factors.active')}
        </Badge>
      }
      details={
        <Facts
          facts={[
            name === label ? null : label,
            phone,
            t('factors.since', { date: formatDate(factor.created_at, language) }),
          ]}
        />
      }
      action={
        <ConfirmButton
          size="small"
          variant="danger"
          aria-label={t('factors.removeNamed', { name })}
          title={t('factors.confirmTitle', { name })}
          text={t('factors.confirmText')}
          confirm={t('factors.remove')}
          onConfirm={() => remove.mutateAsync(factor.id)}
        >
          {t('factors.remove')}
        </ConfirmButton>
      }
    />
  )
}
