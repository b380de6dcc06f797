import { Avatar, Kbd, Menu, Text, useMantineColorScheme } from '@mantine/core'
import {
  IconChevronUp,
  IconDeviceDesktop,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSettings,
  IconSun,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, NavLink } from 'react-router'
import { chooseLanguage, LANGUAGES, LANGUAGE_NAMES } from '@/i18n'
import { useSignOut } from './account'
import { destinationsFor, GROUPS } from './navigation'
import { useSession } from './session'
import classes from './shell.module.css'

const SCHEMES = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const { t } = useTranslation('shell')
  const { project, operator } = useSession()
  return (
    <>
      <div className={classes.project}>
        <img src="/console/favicon.svg" alt="" width={26} height={26} />
        <div style={{ minWidth: 0 }}>
          <Text fw={600} truncate lh={1.2}>
            {project.name}
          </Text>
          <Text size="xs" c="dimmed" truncate lh={1.3}>
            {project.version}
          </Text>
        </div>
      </div>
      <button type="button" className={classes.search} onClick={onSearch}>
        <IconSearch size={15} aria-hidden />
        <span>{t('search')}</span>
        <Kbd size="xs">{isApple() ? '⌘K' : 'Ctrl K'}</Kbd>
      </button>
      <nav className={classes.links} aria-label={t('screensLabel')}>
        {GROUPS.map((group) => (
          <ul key={group} className={classes.group}>
            {destinationsFor(operator.role)
              .filter((one) => one.group === group)
              .map(({ name, icon: Picture }) => (
                <li key={name}>
                  <NavLink to={`/${name}`} className={classes.link}>
                    <Picture size={18} stroke={1.7} aria-hidden />
                    {t(`screens.${name}`)}
                  </NavLink>
                </li>
              ))}
          </ul>
        ))}
      </nav>
      <AccountMenu />
    </>
  )
}

function AccountMenu() {
  const { t, i18n } = useTranslation('shell')
  const { operator } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  return (
    <Menu position="top" width={204} withinPortal>
      <Menu.Target>
        <button type="button" className={classes.account}>
          <Avatar size={28} radius="xl" color="violet" aria-hidden>
            {operator.email.slice(0, 1).toUpperCase()}
          </Avatar>
          <div style={{ minWidth: 0, flex: 1 }}>
            <Text size="sm" truncate lh={1.25}>
              {operator.email}
            </Text>
            <Text size="xs" c="dimmed" lh={1.25}>
              {t(`roles.${operator.role}`)}
            </Text>
          </div>
          <IconChevronUp size={15} aria-hidden />
        </button>
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

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent)
