import { useTranslation } from '@/lib/i18n/i18n'
import { Badge } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icon'
import type { Profile } from '@/lib/session/session'

type Role = 'founder' | 'admin' | 'owner' | 'player'

const ICONS: Record<Role, IconName> = { founder: 'crown', admin: 'shield', owner: 'server', player: 'games' }

/** The role of a person; administrators and moderators come before owners. */
function roleOf({ role, ownsServers }: Pick<Profile, 'role' | 'ownsServers'>): Role {
  if (role === 'founder' || role === 'admin') return role
  return ownsServers ? 'owner' : 'player'
}

export function RoleBadge({ profile }: { profile: Pick<Profile, 'role' | 'ownsServers'> }) {
  const { t } = useTranslation('shell')
  const role = roleOf(profile)
  const runsTheSite = role === 'founder' || role === 'admin'
  return (
    <Badge tone={runsTheSite ? 'accent' : 'plain'} icon={ICONS[role]}>
      {t(`role.${role}`)}
    </Badge>
  )
}
