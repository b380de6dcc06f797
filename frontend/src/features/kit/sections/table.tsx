import { TableTrial } from '@/features/kit/table-trial'
import { Example } from '@/features/kit/example'
import styles from '../example.module.css'

/** The same table as `/dev/table`: order, filters and page are in this page's address, too. */
export function Section() {
  return (
    <Example title="A table with filters, a choice, a menu and a form in a window">
      <div className={styles.whole}>
        <TableTrial />
      </div>
    </Example>
  )
}
