/** All settings of the site, in groups, saved together. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Form } from '@/components/form/form'
import { FormLoading } from '@/components/form/form-loading'
import { SaveBar } from '@/components/form/save-bar'
import { useForm } from '@/components/form/use-form'
import { QueryStates } from '@/components/query/query-states'
import { Icon } from '@/components/ui/icon'
import { PageHeader } from '@/components/ui/page-header'
import { Panel } from '@/components/ui/panel'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { keptSettingsQuery, saveSettingsMutation } from './api/settings'
import { SettingField } from './components/setting-field'
import { GROUP_NAMES, keysOf, missingParticulars, settingsSchema, type SettingValues } from './model/settings'
import styles from './admin-settings.module.css'

export function SettingsPage() {
  const { t } = useTranslation(['admin-settings', 'leads', 'pages'])
  const settings = useQuery(keptSettingsQuery())
  return (
    <>
      <PageHeader title={t('pages:adminSettings')} description={t('leads:adminSettings')} />
      <QueryStates query={settings} loading={<FormLoading fields={8} />} failed={t('failed')}>
        {(values) => <Settings values={values} />}
      </QueryStates>
    </>
  )
}

function Settings({ values }: { values: SettingValues }) {
  const { t } = useTranslation('admin-settings')
  const save = useMutation(saveSettingsMutation())
  const reason = useRefusal({ '23514': 'admin-settings:notAValue' })
  const settings = useQuery(keptSettingsQuery())
  const form = useForm({
    schema: settingsSchema,
    defaults: values,
    submit: (after) => save.mutateAsync({ before: values, after }),
    onDone: () => void settings.refetch(),
    words: (error) => t('notSaved', { reason: reason(error) }),
    guard: true,
  })
  return (
    <Form form={form} label={t('form')} summary className={styles.form}>
      <Missing values={values} />
      {GROUP_NAMES.map((group) => (
        <Panel key={group} title={t(`groups.${group}.title`)} intro={t(`groups.${group}.intro`)}>
          <div className={styles.fields}>
            {keysOf(group).map((key) => (
              <SettingField key={key} name={key} />
            ))}
          </div>
        </Panel>
      ))}
      <SaveBar form={form} />
    </Form>
  )
}

/** A warning for administrators until the particulars that the law requires are set. */
function Missing({ values }: { values: SettingValues }) {
  const { t } = useTranslation('admin-settings')
  const missing = missingParticulars(values)
  if (missing.length === 0) return null
  return (
    <div className={styles.missing} role="note">
      <Icon name="warning" />
      <div>
        <strong>{t('missing')}</strong>
        <ul>
          {missing.map((key) => (
            <li key={key}>{t(`fields.${key}.label`)}</li>
          ))}
        </ul>
      </div>
    </div>
  )
}
