/**
 * Warnings and the project's keys; and the operator's own account: passkeys, second factor,
 * password, appearance.
 */
import {
  Group,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '@/app/session'
import { chooseLanguage, LANGUAGES, LANGUAGE_NAMES, type Language } from '@/i18n'
import { ScreenFrame } from '@/ui/screen'
import { Section } from '@/ui/section'
import { Keys } from './keys'
import { Passkeys } from './passkeys'
import { PasswordForm } from './password-form'
import { SecondFactor } from './second-factor'
import { Warnings } from './warnings'

export function Screen() {
  const { t } = useTranslation(['settings', 'shell'])
  const { operator } = useSession()
  return (
    <ScreenFrame
      title={t('settings:title')}
      description={t('settings:description', {
        email: operator.email,
        role: t(`shell:roles.${operator.role}`).toLocaleLowerCase(),
      })}
    >
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" verticalSpacing="md" maw={{ base: 720, lg: 'none' }}>
        <Stack gap="md">
          <Warnings />
          <Keys />
        </Stack>
        <Stack gap="md">
          <Passkeys />
          <SecondFactor />
          <PasswordForm />
          <Appearance />
        </Stack>
      </SimpleGrid>
    </ScreenFrame>
  )
}

function Appearance() {
  const { t, i18n } = useTranslation(['settings', 'shell'])
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Section title={t('settings:appearance')}>
      <Group gap="md">
        <SegmentedControl
          aria-label={t('shell:theme')}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
          data={(['light', 'dark', 'auto'] as const).map((value) => ({ value, label: t(`shell:schemes.${value}`) }))}
        />
        <Select
          aria-label={t('shell:language')}
          value={i18n.language}
          allowDeselect={false}
          onChange={(value) => void chooseLanguage(value as Language)}
          data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          w={160}
        />
      </Group>
    </Section>
  )
}
