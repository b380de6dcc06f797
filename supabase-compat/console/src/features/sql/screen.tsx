/** The SQL editor: statements in tabs, and their results. */
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { ScreenFrame } from '@/ui/screen'
import { TabBar } from './tab-bar'
import { Workspace } from './workspace'
import classes from './sql.module.css'
import { useTabs } from './use-tabs'

export function Screen() {
  const { t } = useTranslation('sql')
  const { tab: id } = useParams()
  const navigate = useNavigate()
  const tabs = useTabs()
  const current = tabs.tabs.find((tab) => tab.id === id) ?? tabs.tabs[0]!
  const show = (next: string): void => void navigate(`/sql/${next}`, { replace: true })
  return (
    <ScreenFrame isFull title={t('title')}>
      <div className={classes.screen}>
        <TabBar
          tabs={tabs.tabs}
          current={current.id}
          isStored={tabs.isStored}
          onShow={show}
          onAdd={() => show(tabs.add().id)}
          onClose={(closed) => {
            const next = tabs.close(closed)
            if (closed === current.id) show(next.id)
          }}
          onRename={(renamed, name) => tabs.change(renamed, { name })}
        />
        <Workspace
          key={current.id}
          tab={current}
          onChange={(change) => tabs.change(current.id, change)}
          onOpen={(text, name, snippet) => show(tabs.add(text, name, snippet).id)}
        />
      </div>
    </ScreenFrame>
  )
}
