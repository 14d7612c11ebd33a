import { Rss } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Topic } from '../../api/generated/resources.ts'
import { topicPaths } from '../../api/list-paths.ts'
import { type FormField, withoutEmpty } from '../../resource/form-field.ts'
import { ResourceDialog } from '../../resource/resource-dialog.tsx'
import { ResourceList } from '../../resource/resource-list.tsx'
import { SearchBox } from '../../resource/search-box.tsx'
import { useCursorList } from '../../resource/use-list.tsx'
import { type AddressState, useAddress } from '../../session/address.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'
import style from './topics.module.css'

const path = '/v2/topics'

const columns: readonly Column<Topic>[] = [
  {
    key: 'name',
    title: 'Topic',
    show: ({ key, name }) => <Link to={`/topics/${toPathName(key)}`}>{name ?? key}</Link>,
  },
  { key: 'key', title: 'Key', show: ({ key }) => <code className={style['key']}>{key}</code> },
  { key: 'at', title: 'Created', wideOnly: true, end: true, show: ({ createdAt }) => <TimeText at={createdAt} /> },
]

/** Lists the topics of the environment. */
export function TopicsPage(): ReactNode {
  const address = useAddress()
  const query = { search: address.get('search') }
  const list = useCursorList<Topic>('/v1/studio/topics', ['topic', 'topics'], query)
  return (
    <ResourceList
      title="Topics"
      lead="Groups of subscribers. A trigger for a topic reaches all of them."
      filters={<SearchBox label="Search topics" placeholder="Part of the key or name" />}
      list={list}
      columns={columns}
      keyOf={({ _id }) => _id}
      create={{ text: 'New topic', dialog: (close) => <NewTopic onClose={close} /> }}
      empty={<NoTopics address={address} />}
    />
  )
}

function NoTopics({ address }: { readonly address: AddressState }): ReactNode {
  if (address.get('search') !== undefined)
    return (
      <Empty
        icon={<Rss size={20} />}
        title="No matching topics"
        action={<Button onClick={() => address.choose({ search: undefined })}>Show all</Button>}
      />
    )
  return (
    <Empty icon={<Rss size={20} />} title="No topics yet">
      Create one here, or with <code>topics.create()</code> of the API client.
    </Empty>
  )
}

const fields: readonly FormField[] = [
  { name: 'key', label: 'Key', required: true, mono: true, hint: 'The key in your app, such as board-42.' },
  { name: 'name', label: 'Name' },
]

function NewTopic({ onClose }: { onClose(): void }): ReactNode {
  const [, navigate] = useLocation()
  return (
    <ResourceDialog
      title="New topic"
      verb="Create"
      failure="Couldn't create the topic"
      fields={fields}
      initial={{}}
      toRequest={(values) => ({ method: 'POST', path, body: withoutEmpty(values), query: { failIfExists: true } })}
      touches={topicPaths}
      onSaved={({ key }: Topic) => navigate(`/topics/${toPathName(key)}`)}
      onClose={onClose}
    />
  )
}
