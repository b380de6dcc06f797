import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { SwitchField } from '@/components/form/check-field'
import { ColourField } from '@/components/form/colour-field'
import { EntityDialog } from '@/components/form/entity-dialog'
import { NumberField } from '@/components/form/number-field'
import { SelectField } from '@/components/form/select-field'
import { TextField } from '@/components/form/text-field'
import { ImageField } from '@/components/image/image-field'
import { uploadTo } from '@/lib/api/upload'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import type { GameRecord } from '../api/games'
import { saveGameMutation } from '../api/save-game'
import { gameSchema, gameValues, MAX_NAME, MAX_PATTERN, PROTOCOLS } from '../model/game'

const LOGO = { width: 192, height: 192 }
const LOGO_ADVISED = { width: 96, height: 96 }
const BACKDROP = { width: 1920, height: 1080 }
const upload = uploadTo('games')

/** Creates or changes a game. */
export function GameDialog({ game, onClose }: { game: GameRecord | null; onClose: () => void }) {
  const { t } = useTranslation('admin-catalogue')
  const save = useMutation(saveGameMutation())
  const patternWords = t('games.patternShape')
  return (
    <EntityDialog
      title={game === null ? t('games.add') : t('games.edit', { name: game.name })}
      action={t('save')}
      onClose={onClose}
      schema={useMemo(() => gameSchema(patternWords), [patternWords])}
      defaults={gameValues(game)}
      submit={(values) => save.mutateAsync({ id: game?.id ?? null, values })}
      refusals={{ '23505': 'name', '2201B': 'nickname' }}
      words={useRefusal({ '23505': 'admin-catalogue:games.taken', '2201B': 'admin-catalogue:games.patternShape' })}
    >
      <TextField
        name="name"
        label={t('games.name')}
        help={game === null ? t('games.nameHelp') : undefined}
        limit={MAX_NAME}
        firstFocus
      />
      <GamePictures />
      <GameServers />
      <NumberField name="order" label={t('games.order')} help={t('games.orderHelp')} />
      <SwitchField name="open" label={t('games.open')} help={t('games.openHelp')} />
    </EntityDialog>
  )
}

function GamePictures() {
  const { t } = useTranslation('admin-catalogue')
  return (
    <>
      <ImageField name="logo" label={t('games.logo')} size={LOGO} recommended={LOGO_ADVISED} upload={upload} optional />
      <ImageField name="backdrop" label={t('games.backdrop')} size={BACKDROP} upload={upload} optional />
      <ColourField name="colour" label={t('games.colour')} custom optional />
    </>
  )
}

/** How the servers of the game are queried, and the rule for nicknames. */
function GameServers() {
  const { t } = useTranslation('admin-catalogue')
  return (
    <>
      <SelectField
        name="protocol"
        label={t('games.protocol')}
        help={t('games.protocolHelp')}
        choices={PROTOCOLS.map((value) => ({ value, label: t(`games.protocols.${value}`) }))}
      />
      <NumberField name="port" label={t('games.port')} optional />
      <SwitchField name="steam" label={t('games.steam')} />
      <TextField
        name="nickname"
        label={t('games.nickname')}
        help={t('games.nicknameHelp')}
        limit={MAX_PATTERN}
        autoCapitalize="none"
        spellCheck={false}
        optional
      />
    </>
  )
}
