/** Previews of the mails to accounts, and a test mail to the operator. */
import { Alert, Badge, Button, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconMail, IconSend } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayChange, useSession } from '@/app/session'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '@/i18n'
import { notify } from '@/ui/notify'
import { Section } from '@/ui/section'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { useAddressState } from '@/ui/use-address-state'
import { mailsQuery, sampleQuery, sendTestMail, type MailKind, type MailList, type MailRow } from './api'
import classes from './mails.module.css'
import { SettingNames } from './setting-names'

export function Mails() {
  const { t } = useTranslation('authentication')
  const mails = useQuery(mailsQuery)
  const [selected, setSelected] = useAddressState('mail', 'confirmation')
  if (mails.isPending) return <SkeletonRows rows={6} height={48} />
  if (mails.isError) return <ErrorState error={mails.error} onRetry={() => void mails.refetch()} />
  const mail = mails.data.mails.find(({ kind }) => kind === selected) ?? mails.data.mails[0]!
  return (
    <Stack gap="md">
      <Relay relay={mails.data.relay} />
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={t('mails.mail')}
          value={mail.kind}
          onChange={(event) => setSelected(event.currentTarget.value)}
          data={mails.data.mails.map(({ kind }) => ({ value: kind, label: t(`mails.kinds.${kind}`) }))}
        />
        <Badge variant="light" color={mail.enabled ? 'green' : 'gray'} mb={8}>
          {mail.enabled ? t('mails.on') : t('mails.off')}
        </Badge>
      </Group>
      <Preview mail={mail} usual={mails.data.language} />
      <Settings mail={mail} />
    </Stack>
  )
}

function Relay({ relay }: { relay: MailList['relay'] }) {
  const { t } = useTranslation('authentication')
  if (relay)
    return (
      <Text size="sm" c="dimmed">
        {t('mails.relay', { host: `${relay.host}:${relay.port}`, sender: relay.sender })}
      </Text>
    )
  return (
    <Alert color="yellow" icon={<IconMail size={18} />} title={t('mails.captured')}>
      {t('mails.capturedText')} <SettingNames names={['GOTRUE_SMTP_HOST', 'auth.email.smtp.host']} />
    </Alert>
  )
}

function Preview({ mail, usual }: { mail: MailRow; usual: string }) {
  const { t } = useTranslation('authentication')
  const { operator } = useSession()
  const mayChange = useMayChange()
  const [language, setLanguage] = useState<Language>(() => LANGUAGES.find((one) => one === usual) ?? 'en')
  const [form, setForm] = useState<'html' | 'text'>('html')
  const sample = useQuery(sampleQuery(mail.kind, language))
  const test = useMutation({
    mutationFn: sendTestMail,
    onSuccess: ({ to, is_captured: isCaptured }) =>
      notify(isCaptured ? t('mails.testCaptured', { to }) : t('mails.testSent', { to })),
  })
  return (
    <Section
      title={t('mails.preview')}
      description={t('mails.previewText')}
      actions={
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={t('mails.language')}
            value={language}
            onChange={(value) => setLanguage(value as Language)}
            data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          />
          <SegmentedControl
            size="xs"
            aria-label={t('mails.form')}
            value={form}
            onChange={(value) => setForm(value as 'html' | 'text')}
            data={(['html', 'text'] as const).map((value) => ({ value, label: t(`mails.forms.${value}`) }))}
          />
          {mayChange ? (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconSend size={14} />}
              loading={test.isPending}
              onClick={() => test.mutate({ kind: mail.kind, language })}
            >
              {t('mails.test', { to: operator.email })}
            </Button>
          ) : null}
        </Group>
      }
    >
      {sample.isPending ? (
        <SkeletonRows rows={5} height={36} />
      ) : sample.isError ? (
        <ErrorState error={sample.error} onRetry={() => void sample.refetch()} />
      ) : (
        <Stack gap="xs">
          <Text size="sm" fw={500}>
            {sample.data.subject}
          </Text>
          {form === 'html' ? (
            // The sandbox runs no script of a template and follows no link.
            <iframe
              className={classes.preview}
              sandbox=""
              srcDoc={sample.data.html}
              title={t('mails.previewOf', { mail: t(`mails.kinds.${mail.kind satisfies MailKind}`) })}
            />
          ) : (
            <pre className={classes.text}>{sample.data.text}</pre>
          )}
        </Stack>
      )}
    </Section>
  )
}

function Settings({ mail }: { mail: MailRow }) {
  const { t } = useTranslation('authentication')
  return (
    <Section title={t('mails.settings')} description={t('settingsText')}>
      <Stack gap="sm">
        <div>
          <Text size="sm">{mail.has_own_subject ? t('mails.ownSubject') : t('mails.builtInSubject')}</Text>
          <SettingNames names={mail.settings.subject} />
        </div>
        <div>
          <Text size="sm">{t(`mails.bodies.${mail.body}`)}</Text>
          <SettingNames names={mail.settings.body} />
        </div>
        {mail.settings.enabled ? (
          <div>
            <Text size="sm">{mail.enabled ? t('mails.on') : t('mails.off')}</Text>
            <SettingNames names={mail.settings.enabled} />
          </div>
        ) : null}
      </Stack>
    </Section>
  )
}
