import { SelectField } from '@/components/form/select-field'
import { TextField } from '@/components/form/text-field'
import { GameField } from '@/components/game/game-field'
import type { GameChoice } from '@/components/game/game-order'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGES, LANGUAGE_NAMES } from '@/lib/i18n/languages'
import { ADDRESS_LIMIT, NAME_LIMIT, VERSION_LIMIT } from '../model/server-fields'
import styles from './fields.module.css'

/** The name and game of a server. */
export function IdentityFields({ games }: { games: readonly GameChoice[] }) {
  const { t } = useTranslation('own-server')
  return (
    <>
      <TextField name="name" label={t('field.name')} help={t('field.nameHelp')} limit={NAME_LIMIT} autoComplete="off" />
      <div className={styles.pair}>
        <GameField name="game_id" label={t('field.game')} placeholder={t('field.gameEmpty')} games={games} />
        <SelectField
          name="language"
          label={t('field.language')}
          choices={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language], lang: language }))}
        />
      </div>
    </>
  )
}

/** The address for players. */
export function AddressFields() {
  const { t } = useTranslation('own-server')
  return (
    <div className={styles.pair}>
      <TextField
        name="ip_address"
        label={t('field.address')}
        help={t('field.addressHelp')}
        limit={ADDRESS_LIMIT}
        placeholder="play.example.net:25565"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        optional
      />
      <TextField
        name="version"
        label={t('field.version')}
        help={t('field.versionHelp')}
        limit={VERSION_LIMIT}
        autoComplete="off"
        optional
      />
    </div>
  )
}

/** Links to other places of the server. */
export function LinkFields() {
  const { t } = useTranslation('own-server')
  return (
    <div className={styles.pair}>
      <TextField
        name="website_url"
        label={t('field.website')}
        type="url"
        placeholder="https://"
        autoCapitalize="none"
        spellCheck={false}
        optional
      />
      <TextField
        name="discord_url"
        label={t('field.discord')}
        type="url"
        placeholder="https://discord.gg/"
        autoCapitalize="none"
        spellCheck={false}
        optional
      />
    </div>
  )
}
