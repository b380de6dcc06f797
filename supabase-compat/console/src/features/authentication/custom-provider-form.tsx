/** A form for a custom provider: by its issuer, or by endpoints if it has no discovery document. */
import { Alert, Button, Input, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '@/ui/error-text'
import { notify } from '@/ui/notify'
import { addCustomProvider, customProvidersQuery, type CustomProvider, type NewCustomProvider } from './api'

const PREFIX = 'custom:'
const KINDS: readonly CustomProvider['provider_type'][] = ['oidc', 'oauth2']
const ADDRESSES = {
  oidc: ['issuer'],
  oauth2: ['authorization_url', 'token_url', 'userinfo_url'],
} as const

const EMPTY = {
  provider_type: 'oidc' as CustomProvider['provider_type'],
  name: '',
  identifier: '',
  client_id: '',
  client_secret: '',
  issuer: '',
  authorization_url: '',
  token_url: '',
  userinfo_url: '',
  scopes: '',
}

/** The request to auth/v1: without the fields of the other kind, and with scopes as a list. */
function requestOf({ scopes, ...values }: typeof EMPTY): NewCustomProvider {
  const { provider_type: kind, name, client_id, client_secret } = values
  const addresses = Object.fromEntries(ADDRESSES[kind].map((field) => [field, values[field].trim()]))
  const list = scopes.split(/[\s,]+/).filter((scope) => scope !== '')
  return {
    provider_type: kind,
    name: name.trim(),
    identifier: PREFIX + values.identifier.trim(),
    client_id: client_id.trim(),
    client_secret,
    scopes: list,
    ...addresses,
  }
}

function isAddress(text: string): boolean {
  try {
    const { protocol, hostname } = new URL(text.trim())
    return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
  } catch {
    return false
  }
}

export function CustomProviderForm() {
  const { t } = useTranslation('authentication')
  const errorText = useErrorText()
  const client = useQueryClient()
  const required = (text: string) => (text.trim() === '' ? t('custom.needed') : null)
  const address = (kind: CustomProvider['provider_type']) => (text: string, values: typeof EMPTY) =>
    values.provider_type !== kind || isAddress(text) ? null : t('custom.wrongAddress')
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      name: required,
      identifier: (text) => (/^[a-z0-9]([a-z0-9:-]{0,41}[a-z0-9])?$/.test(text.trim()) ? null : t('custom.wrongName')),
      client_id: required,
      client_secret: required,
      issuer: address('oidc'),
      authorization_url: address('oauth2'),
      token_url: address('oauth2'),
      userinfo_url: address('oauth2'),
    },
  })
  const creation = useMutation({
    meta: { isQuiet: true },
    mutationFn: addCustomProvider,
    onSuccess: async (_answer, { name }) => {
      modals.closeAll()
      notify(t('custom.added', { name }))
      await client.invalidateQueries({ queryKey: customProvidersQuery.queryKey })
    },
  })
  const kind = form.values.provider_type
  return (
    <form noValidate onSubmit={form.onSubmit((values) => creation.mutate(requestOf(values)))}>
      <Stack gap="md">
        <Input.Wrapper label={t('custom.kind')} description={t(`custom.kindHelp.${kind}`)} labelElement="div">
          <SegmentedControl
            mt={6}
            fullWidth
            aria-label={t('custom.kind')}
            data={KINDS.map((value) => ({ value, label: t(`custom.kinds.${value}`) }))}
            {...form.getInputProps('provider_type')}
          />
        </Input.Wrapper>
        <TextInput data-autofocus label={t('custom.name')} autoComplete="off" {...form.getInputProps('name')} />
        <TextInput
          label={t('custom.identifier')}
          description={t('custom.identifierHelp')}
          leftSection={PREFIX}
          leftSectionWidth={70}
          leftSectionProps={{ style: { fontSize: 'var(--mantine-font-size-sm)' } }}
          spellCheck={false}
          autoComplete="off"
          {...form.getInputProps('identifier')}
        />
        {ADDRESSES[kind].map((field) => (
          <TextInput
            key={field}
            type="url"
            label={t(`custom.addresses.${field}`)}
            placeholder="https://login.example.com"
            spellCheck={false}
            autoComplete="off"
            {...form.getInputProps(field)}
          />
        ))}
        <TextInput label={t('custom.clientId')} autoComplete="off" {...form.getInputProps('client_id')} />
        <PasswordInput
          label={t('custom.clientSecret')}
          description={t('custom.clientSecretHelp')}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('custom.showSecret') }}
          {...form.getInputProps('client_secret')}
        />
        <TextInput
          label={t('custom.scopes')}
          description={t(`custom.scopesHelp.${kind}`)}
          spellCheck={false}
          autoComplete="off"
          {...form.getInputProps('scopes')}
        />
        {creation.error ? (
          <Alert color="red" role="alert">
            {errorText(creation.error)}
          </Alert>
        ) : null}
        <Button type="submit" loading={creation.isPending}>
          {t('custom.add')}
        </Button>
      </Stack>
    </form>
  )
}
