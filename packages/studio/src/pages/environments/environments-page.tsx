import { Blocks } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Environment } from '../../api/generated/resources.ts'
import { BadgeRow, ResourceList } from '../../resource/resource-list.tsx'
import { useWholeList } from '../../resource/use-list.tsx'
import { useSession } from '../../session/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { EnvironmentPanel } from './environment-panel.tsx'
import { KeyPanel } from './key-panel.tsx'
import { NewEnvironment } from './new-environment.tsx'

const path = '/v1/environments'

/** Lists the environments, and edits the current one and its secret key. */
export function EnvironmentsPage(): ReactNode {
  const { environment, environments, choose } = useSession()
  const list = useWholeList<Environment>(path)
  const current = list.rows?.find(({ _id }) => _id === environment.id)
  const open = (row: Environment): (() => void) | undefined =>
    row._id !== environment.id && environments.some(({ id }) => id === row._id) ? () => choose(row.name) : undefined
  return (
    <ResourceList
      title="Environments"
      lead="Each has its own workflows, subscribers, integrations and secret key."
      list={list}
      columns={columnsOf(environment.id, open)}
      keyOf={({ _id }) => _id}
      create={{ text: 'New environment', needs: 'administer', dialog: (close) => <NewEnvironment onClose={close} /> }}
      empty={<Empty icon={<Blocks size={20} />} title="No environments" />}
    >
      {current && <EnvironmentPanel key={current._id} environment={current} />}
      <KeyPanel key={environment.id} />
    </ResourceList>
  )
}

function columnsOf(
  shownId: string,
  open: (row: Environment) => (() => void) | undefined,
): readonly Column<Environment>[] {
  return [
    {
      key: 'name',
      title: 'Environment',
      show: ({ _id, name }) => (
        <BadgeRow>
          <strong>{name}</strong>
          {_id === shownId && <Badge tone="accent">Current</Badge>}
        </BadgeRow>
      ),
    },
    { key: 'id', title: 'Application identifier', wideOnly: true, show: ({ identifier }) => <code>{identifier}</code> },
    {
      key: 'at',
      title: 'Created',
      wideOnly: true,
      show: ({ createdAt }) => createdAt !== undefined && <TimeText at={createdAt} />,
    },
    {
      key: 'open',
      title: 'Actions',
      end: true,
      show: (row) => {
        const onOpen = open(row)
        return (
          onOpen && (
            <Button small aria-label={`Switch to ${row.name}`} onClick={onOpen}>
              Switch
            </Button>
          )
        )
      },
    },
  ]
}
