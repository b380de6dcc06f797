import { Panel } from '@/components/ui/panel'
import { RadioCards } from '@/components/ui/radio-cards'
import { SelectInput } from '@/components/ui/select-input'
import { Switch } from '@/components/ui/switch'
import { TextInput } from '@/components/ui/text-input'
import type { OwnServer } from '@/entities/server/own'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGES, LANGUAGE_NAMES, isLanguage } from '@/lib/i18n/languages'
import { decodeStored } from '@/lib/text/stored-text'
import { FORMATS, SIZES, THEMES, sizeOf, type Widget } from '../model/widget'
import styles from './widget-options.module.css'

interface WidgetOptionsProps {
  servers: readonly OwnServer[]
  widget: Widget
  onChange: (changed: Partial<Widget>) => void
}

/** All options of a widget. */
export function WidgetOptions({ servers, widget, onChange }: WidgetOptionsProps) {
  const { t } = useTranslation('creator-tools')
  return (
    <Panel variant="above" title={t('options.title')}>
      <div className={styles.fields}>
        <SelectInput
          label={t('options.server')}
          value={widget.server}
          choices={servers.map(({ id, name }) => ({ value: id, label: decodeStored(name) }))}
          onChange={(event) => onChange({ server: event.target.value })}
        />
        <RadioCards
          label={t('options.format')}
          value={widget.format}
          choices={FORMATS.map((value) => ({
            value,
            label: t(`format.${value}`),
            help: t(`format.${value}Help`),
          }))}
          onValueChange={(format) => onChange({ format })}
        />
        <div className={styles.pair}>
          <SelectInput
            label={t('options.size')}
            value={widget.size}
            choices={SIZES.map((value) => {
              const { width, height } = sizeOf({ format: widget.format, size: value })
              return { value, label: t(`size.${value}`, { width, height }) }
            })}
            onChange={(event) => onChange({ size: SIZES.find((size) => size === event.target.value) ?? 'medium' })}
          />
          <SelectInput
            label={t('options.language')}
            value={widget.language}
            choices={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value], lang: value }))}
            onChange={({ target: { value } }) => isLanguage(value) && onChange({ language: value })}
          />
        </div>
        <RadioCards
          label={t('options.theme')}
          value={widget.theme}
          choices={THEMES.map((value) => ({ value, label: t(`theme.${value}`) }))}
          onValueChange={(theme) => onChange({ theme })}
        />
        <div className={styles.switches}>
          <Switch label={t('options.votes')} checked={widget.votes} onCheckedChange={(votes) => onChange({ votes })} />
          <Switch
            label={t('options.rounded')}
            checked={widget.rounded}
            onCheckedChange={(rounded) => onChange({ rounded })}
          />
          <Switch
            label={t('options.animation')}
            help={t('options.animationHelp')}
            checked={widget.animation}
            onCheckedChange={(animation) => onChange({ animation })}
          />
        </div>
        <TextInput
          optional
          label={t('options.nickname')}
          help={t('options.nicknameHelp')}
          maxLength={50}
          autoComplete="off"
          value={widget.nickname}
          onChange={(event) => onChange({ nickname: event.target.value })}
        />
      </div>
    </Panel>
  )
}
