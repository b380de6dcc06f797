import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { SwitchField } from '@/components/form/check-field'
import { Form } from '@/components/form/form'
import { FormLoading } from '@/components/form/form-loading'
import { NumberField } from '@/components/form/number-field'
import { RadioField } from '@/components/form/radio-field'
import { SecretField } from '@/components/form/secret-field'
import { Submit } from '@/components/form/submit'
import { TextField } from '@/components/form/text-field'
import { TextareaField } from '@/components/form/textarea-field'
import { useForm } from '@/components/form/use-form'
import { QueryStates } from '@/components/query/query-states'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Panel } from '@/components/ui/panel'
import { PanelFailure } from '@/components/ui/panel-failure'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { removeReceiverMutation, saveVotifierMutation, votifierQuery, type OwnVotifier } from '../api/receivers'
import styles from '../components/receivers.module.css'
import { TrialPanel } from '../components/trial-panel'
import type { TabProps } from '../edit/use-edit-form'
import { VOTIFIER_PORT, votifierSchema } from '../model/receivers'

/** The address of the game server's Votifier listener. */
export function VotifierSection({ server }: TabProps) {
  const { t } = useTranslation('integrations')
  const refusalText = useRefusal()
  const query = useQuery(votifierQuery(server.id))
  return (
    <Panel variant="boxed" title={t('votifier.title')} intro={t('votifier.intro')}>
      <QueryStates
        query={query}
        loading={<FormLoading fields={4} />}
        failed={(retry) => <PanelFailure text={refusalText(query.error)} onRetry={retry} />}
        empty={<VotifierForm serverId={server.id} row={null} />}
      >
        {(row) => <VotifierForm serverId={server.id} row={row} />}
      </QueryStates>
    </Panel>
  )
}

const valuesOf = (row: OwnVotifier | null) => ({
  host: row?.host ?? '',
  port: row?.port ?? VOTIFIER_PORT,
  protocol: PROTOCOLS.find((one) => one === row?.protocol) ?? 'auto',
  token: row?.token ?? '',
  public_key: row?.public_key ?? '',
  is_active: row?.is_active ?? true,
})

const PROTOCOLS = ['auto', 'v2', 'v1'] as const

function VotifierForm({ serverId, row }: { serverId: string; row: OwnVotifier | null }) {
  const { t } = useTranslation('integrations')
  const refusalText = useRefusal()
  const save = useMutation(saveVotifierMutation())
  const remove = useMutation(removeReceiverMutation())
  const exists = row !== null
  const [schema] = useState(() => votifierSchema({ missing: t('votifier.missing'), port: t('votifier.portRange') }))
  const form = useForm({
    schema,
    defaults: valuesOf(row),
    values: exists ? valuesOf(row) : undefined,
    submit: (values) => save.mutateAsync({ serverId, exists, values }),
    words: (error) => `${t(exists ? 'votifier.updateFailed' : 'votifier.createFailed')} ${refusalText(error)}`,
    guard: true,
  })
  return (
    <div className={styles.fields}>
      {row?.disabled_at && <p role="alert">{t('disabled')}</p>}
      <Form form={form} label={t('votifier.title')}>
        <TextField name="host" label={t('votifier.host')} help={t('votifier.hostHelp')} autoCapitalize="none" />
        <NumberField name="port" label={t('votifier.port')} />
        <RadioField
          name="protocol"
          label={t('votifier.protocol')}
          choices={PROTOCOLS.map((value) => ({
            value,
            label: t(`votifier.protocols.${value}`),
            help: t(`votifier.protocolHelp.${value}`),
          }))}
        />
        <Credentials />
        <SwitchField name="is_active" label={t('active')} />
        <Submit>{t(exists ? 'save' : 'create')}</Submit>
      </Form>
      {exists && (
        <>
          <TrialPanel serverId={serverId} receiver="votifier" unsaved={form.dirty} />
          <div>
            <ConfirmButton
              variant="danger"
              size="small"
              title={t('votifier.deleteTitle')}
              text={t('votifier.deleteText')}
              confirm={t('delete')}
              onConfirm={() => remove.mutateAsync({ serverId, receiver: 'votifier' })}
            >
              {t('delete')}
            </ConfirmButton>
          </div>
        </>
      )}
    </div>
  )
}

/** The fields that the chosen version needs. */
function Credentials() {
  const { t } = useTranslation('integrations')
  const protocol = useWatch<{ protocol: string }>({ name: 'protocol' })
  return (
    <>
      {protocol === 'auto' && <p>{t('votifier.oneOf')}</p>}
      {protocol !== 'v1' && (
        <SecretField
          name="token"
          label={t('votifier.token')}
          help={t('votifier.tokenHelp')}
          optional={protocol === 'auto'}
        />
      )}
      {protocol !== 'v2' && (
        <TextareaField
          name="public_key"
          label={t('votifier.key')}
          help={t('votifier.keyHelp')}
          optional={protocol === 'auto'}
          rows={4}
        />
      )}
    </>
  )
}
