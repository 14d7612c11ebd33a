import { Plus, Rss } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Topic } from '../../api/generated/resources.ts'
import { topicPaths } from '../../api/list-paths.ts'
import type { CursorPage } from '../../api/page.ts'
import { type FormField, withoutEmpty } from '../../resource/form-field.ts'
import { ResourceDialog } from '../../resource/resource-dialog.tsx'
import { SearchBox } from '../../resource/search-box.tsx'
import { type AddressState, useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { LoadedPanel } from '../../ui/data/loaded-panel.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'
import style from './topics.module.css'

const path = '/v2/topics'
const pageSize = 20

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
  const [isAdding, add] = useState(false)
  const query = { search: address.get('search'), ...address.cursor, limit: pageSize }
  const read = useRead<CursorPage<Topic>>('/v1/studio/topics', { query, keep: true })
  return (
    <Page
      title="Topics"
      lead="Groups of subscribers. A trigger for a topic reaches all of them."
      actions={
        <Button needs="edit" variant="primary" icon={<Plus size={15} />} onClick={() => add(true)}>
          New topic
        </Button>
      }
    >
      <SearchBox label="Search topics" placeholder="Part of the key or name" />
      <LoadedPanel what="the topics" read={read}>
        {(page) => (
          <CursorList page={page} address={address} nouns={['topic', 'topics']} empty={<NoTopics address={address} />}>
            <Table label="Topics" columns={columns} rows={page.data} keyOf={({ _id }) => _id} />
          </CursorList>
        )}
      </LoadedPanel>
      {isAdding && <NewTopic onClose={() => add(false)} />}
    </Page>
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
