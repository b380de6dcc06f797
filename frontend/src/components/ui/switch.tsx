import { Switch as Base } from '@base-ui/react/switch'
import { useId, type ReactNode } from 'react'
import styles from './switch.module.css'

interface SwitchProps {
  label: ReactNode
  help?: ReactNode
  name?: string
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
}

/** Something that is on or off, and changes at once. */
export function Switch({ label, help, ...rest }: SwitchProps) {
  const id = useId()
  return (
    <div className={styles.row}>
      <label htmlFor={id} className={styles.text}>
        <span className={styles.label}>{label}</span>
        {help && (
          <span id={`${id}-help`} className={styles.help}>
            {help}
          </span>
        )}
      </label>
      <Base.Root
        {...rest}
        id={id}
        className={styles.track}
        aria-describedby={help ? `${id}-help` : undefined}
        onCheckedChange={(checked) => rest.onCheckedChange(checked)}
      >
        <Base.Thumb className={styles.thumb} />
      </Base.Root>
    </div>
  )
}
