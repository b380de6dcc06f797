import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconLanguage, IconLogout, IconMoon, IconSettings, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { chooseLanguage, LANGUAGES, LANGUAGE_NAMES } from '@/i18n'
import { useSignOut } from './account'
import { AccountButton } from './account-button'

const SCHEMES = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const

/** The menu is open from its first render. */
export function AccountMenu() {
  const { t, i18n } = useTranslation('shell')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  return (
    <Menu position="top" width={204} defaultOpened>
      <Menu.Target>
        <AccountButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/settings" leftSection={<IconSettings size={16} />}>
          {t('account')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('theme')}</Menu.Label>
        {SCHEMES.map(({ scheme, icon: Picture }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Picture size={16} />}
            aria-current={colorScheme === scheme || undefined}
            fw={colorScheme === scheme ? 600 : undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`schemes.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('language')}</Menu.Label>
        {LANGUAGES.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            leftSection={<IconLanguage size={16} />}
            aria-current={i18n.language === language || undefined}
            fw={i18n.language === language ? 600 : undefined}
            onClick={() => void chooseLanguage(language)}
          >
            {LANGUAGE_NAMES[language]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
