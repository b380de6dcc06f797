import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { KeyValues } from '@/components/ui/key-values'
import { Panel, PanelEmpty, PanelList, PanelLoading, PanelRow } from '@/components/ui/panel'
import { PanelFailure } from '@/components/ui/panel-failure'
import { StatTile, StatTiles } from '@/components/ui/stat-tile'

export function Section() {
  return (
    <>
      <Panel title="Sessions" intro="Where you are signed in." actions={<Button>Sign out elsewhere</Button>}>
        <PanelList label="Sessions">
          <PanelRow
            icon={<Icon name="screen" />}
            title="Firefox on Linux"
            badge={<Badge tone="accent">This one</Badge>}
            details="Since 21 November"
          />
          <PanelRow
            icon={<Icon name="phone" />}
            title="Safari on iPhone"
            details="Seen two hours ago"
            action={<Button size="small">End</Button>}
          />
        </PanelList>
      </Panel>
      <Panel title="On its way">
        <PanelLoading />
      </Panel>
      <Panel title="Failed">
        <PanelFailure text="The sessions could not be read." onRetry={() => {}} />
      </Panel>
      <Panel title="Empty">
        <PanelEmpty icon={<Icon name="server" />} action={<Button>Add a server</Button>}>
          You list no server yet.
        </PanelEmpty>
      </Panel>
      <Panel variant="above" title="Above what it holds" aside={<Badge>Aside</Badge>}>
        <p>As on a server’s page.</p>
      </Panel>
      <Panel variant="boxed" title="With it in a box">
        <p>As at the side of it.</p>
      </Panel>
      <Panel title="Facts and figures" tone="danger">
        <KeyValues
          facts={[
            { name: 'Address', value: 'play.loupgarde.example' },
            { name: 'Version', value: '1.21.4' },
          ]}
        />
        <StatTiles>
          <StatTile icon="arrow-up" label="Votes" value="10,613" note="+ 212 this week" />
          <StatTile icon="users" label="Players" value="412" note="of 600" />
          <StatTile icon="star" label="Rating" value="4.6" note="38 reviews" />
        </StatTiles>
      </Panel>
    </>
  )
}
