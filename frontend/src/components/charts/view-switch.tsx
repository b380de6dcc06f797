import { useId } from 'react'
import styles from './view-switch.module.css'

interface ViewSwitchProps<View extends string> {
  label: string
  views: readonly { view: View; name: string }[]
  value: View
  onValueChange: (view: View) => void
}

/** Buttons that choose one of several views of a chart. */
export function ViewSwitch<View extends string>({ label, views, value, onValueChange }: ViewSwitchProps<View>) {
  const group = useId()
  return (
    <div role="radiogroup" aria-label={label} className={styles.views}>
      {views.map(({ view, name }) => (
        <label key={view} className={styles.view}>
          <input
            type="radio"
            className={styles.choice}
            name={group}
            checked={view === value}
            onChange={() => onValueChange(view)}
          />
          {name}
        </label>
      ))}
    </div>
  )
}
