import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SwitchField } from '@/components/form/check-field'
import { Form } from '@/components/form/form'
import { FormLoading } from '@/components/form/form-loading'
import { RadioField } from '@/components/form/radio-field'
import { SecretField } from '@/components/form/secret-field'
import { Submit } from '@/components/form/submit'
import { TextField } from '@/components/form/text-field'
import { useForm } from '@/components/form/use-form'
import { QueryStates } from '@/components/query/query-states'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Panel } from '@/components/ui/panel'
import { PanelFailure } from '@/components/ui/panel-failure'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { removeReceiverMutation, saveWebhookMutation, webhookQuery, type OwnWebhook } from '../api/receivers'
import { TrialPanel } from '../components/trial-panel'
import type { TabProps } from '../edit/use-edit-form'
import { newSecret, webhookSchema } from '../model/receivers'
import styles from '../components/receivers.module.css'

/** The owner's webhook, which is called for each vote. */
export function WebhookSection({ server }: TabProps) {
  const { t } = useTranslation('integrations')
  const refusalText = useRefusal()
  const query = useQuery(webhookQuery(server.id))
  return (
    <Panel variant="boxed" title={t('webhook.title')} intro={t('webhook.intro')}>
      <QueryStates
        query={query}
        loading={<FormLoading fields={4} />}
        failed={(retry) => <PanelFailure text={refusalText(query.error)} onRetry={retry} />}
        empty={<WebhookForm serverId={server.id} row={null} />}
      >
        {(row) => <WebhookForm serverId={server.id} row={row} />}
      </QueryStates>
    </Panel>
  )
}

const FORMATS = ['json', 'discord', 'postback'] as const

/** The only constraint of the database on a webhook is about its address. */
const REFUSALS = { private_address: 'integrations:webhook.private', '23514': 'integrations:webhook.address' } as const
const BLAMED = { '23514': 'url' } as const

const valuesOf = (row: OwnWebhook | null) => ({
  url: row?.url ?? '',
  secret: row?.secret ?? '',
  format: FORMATS.find((one) => one === row?.format) ?? 'json',
  is_active: row?.is_active ?? true,
})

function WebhookForm({ serverId, row }: { serverId: string; row: OwnWebhook | null }) {
  const { t } = useTranslation('integrations')
  const refusalText = useRefusal(REFUSALS)
  const save = useMutation(saveWebhookMutation())
  const remove = useMutation(removeReceiverMutation())
  const exists = row !== null
  const [schema] = useState(() => webhookSchema(t('webhook.missing'), t('webhook.address')))
  const [fresh] = useState(newSecret)
  const form = useForm({
    schema,
    defaults: { ...valuesOf(row), secret: row?.secret ?? fresh },
    values: exists ? valuesOf(row) : undefined,
    submit: (values) => save.mutateAsync({ serverId, exists, values }),
    words: (error) => `${t(exists ? 'webhook.updateFailed' : 'webhook.createFailed')} ${refusalText(error)}`,
    refusals: BLAMED,
    guard: true,
  })
  return (
    <div className={styles.fields}>
      {row?.disabled_at && <p role="alert">{t('disabled')}</p>}
      <Form form={form} label={t('webhook.title')}>
        <RadioField
          name="format"
          label={t('webhook.format')}
          choices={FORMATS.map((value) => ({
            value,
            label: t(`webhook.formats.${value}`),
            help: t(`webhook.formatHelp.${value}`),
          }))}
        />
        <TextField name="url" label={t('webhook.url')} help={t('webhook.urlHelp')} autoCapitalize="none" />
        <SecretField name="secret" label={t('webhook.secret')} help={t('webhook.secretHelp')} regenerate={newSecret} />
        <SwitchField name="is_active" label={t('active')} />
        <Submit>{t(exists ? 'save' : 'create')}</Submit>
      </Form>
      {exists && (
        <>
          <TrialPanel serverId={serverId} receiver="webhook" unsaved={form.dirty} />
          <div>
            <ConfirmButton
              variant="danger"
              size="small"
              title={t('webhook.deleteTitle')}
              text={t('webhook.deleteText')}
              confirm={t('delete')}
              onConfirm={() => remove.mutateAsync({ serverId, receiver: 'webhook' })}
            >
              {t('delete')}
            </ConfirmButton>
          </div>
        </>
      )}
    </div>
  )
}
