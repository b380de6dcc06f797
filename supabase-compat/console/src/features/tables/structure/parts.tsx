/** Components that the sections of a table's structure share. */
import { ActionIcon, Button, Group, Menu, Table, Text, Title } from '@mantine/core'
import { IconDots, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column, Policy, Relation, Trigger } from '@/postgres/catalog'

export type OpenForm =
  | { kind: 'column'; column?: Column }
  | { kind: 'index' }
  | { kind: 'trigger'; trigger?: Trigger }
  | { kind: 'policy'; policy?: Policy }
  | { kind: 'settings' }

export interface SectionProps {
  relation: Relation
  canAlter: boolean
  prepare: (title: string, sql: string, warning?: string) => void
  setForm: (form: OpenForm) => void
}

export function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={6} mih={30}>
        <Title order={2} size="h5">
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </section>
  )
}

export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button size="xs" variant="light" leftSection={<IconPlus size={14} />} onClick={onClick}>
      {label}
    </Button>
  )
}

export function Lines({ label, headings, children }: { label: string; headings: string[]; children: ReactNode }) {
  return (
    <Table.ScrollContainer
      minWidth={560}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': label } }}
    >
      <Table withTableBorder fz="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            {headings.map((heading) => (
              <Table.Th key={heading}>{heading}</Table.Th>
            ))}
            <Table.Td w={44} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface LineAction {
  label: string
  isDangerous?: boolean
  onClick: () => void
}

export function LineMenu({ name, actions }: { name: string; actions: LineAction[] }) {
  const { t } = useTranslation('tables')
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('structure.actions', { name })}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, isDangerous, onClick }) => (
          <Menu.Item key={label} color={isDangerous ? 'red' : undefined} onClick={onClick}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export function EmptyNote() {
  const { t } = useTranslation('tables')
  return (
    <Text size="sm" c="dimmed">
      {t('structure.nothing')}
    </Text>
  )
}
