/**
 * A choice of one among a few, in a list of our own. In a form on a phone the browser's own select
 * (`SelectField`) is better.
 */
import { Select as Base } from '@base-ui/react/select'
import { Icon, type IconName } from './icon'
import styles from './select.module.css'

interface SelectProps<Value extends string> {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  options: readonly { value: Value; label: string; icon?: IconName }[]
  /** An icon before the choice. */
  icon?: IconName
  disabled?: boolean
}

export function Select<Value extends string>({
  label,
  value,
  onValueChange,
  options,
  icon,
  disabled,
}: SelectProps<Value>) {
  return (
    <Base.Root
      items={options}
      value={value}
      disabled={disabled}
      onValueChange={(next: Value | null) => next !== null && onValueChange(next)}
    >
      <Base.Trigger className={styles.trigger} aria-label={label}>
        {icon && <Icon name={icon} size={18} />}
        <Base.Value className={styles.value} />
        <Base.Icon className={styles.icon}>
          <Icon name="chevron-down" size={16} />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={8} collisionPadding={8} alignItemWithTrigger={false}>
          <Base.Popup className={styles.popup}>
            <Base.List>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className={styles.item}>
                  {option.icon && <Icon name={option.icon} size={18} />}
                  <Base.ItemText className={styles.text}>{option.label}</Base.ItemText>
                  <Base.ItemIndicator>
                    <Icon name="check" size={16} />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
