import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Need } from '../base/access.tsx'
import { Button } from '../ui/button.tsx'
import { ListPage } from '../ui/data/cursor-list.tsx'
import { LoadedPanel } from '../ui/data/loaded-panel.tsx'
import { type Column, Table } from '../ui/data/table.tsx'
import { Page } from '../ui/page.tsx'
import style from './resource.module.css'
import type { ListState } from './use-list.tsx'

/** Props of a resource list page. */
export interface ResourceListProps<Row> {
  /** Its heading. */
  readonly title: string
  /** What it lists, as in `Couldn't load the domains`. @default the title */
  readonly what?: string
  /** Explains what the resources are for. */
  readonly lead: ReactNode
  /** The loaded list. */
  readonly list: ListState<Row>
  /** The columns of the table. */
  readonly columns: readonly Column<Row>[]
  /** Returns the key of a row. */
  keyOf(row: Row): string
  /** Shown if the list is empty. */
  readonly empty: ReactNode
  readonly create?: CreateButton
  /** Additional buttons at the end of the heading. */
  readonly actions?: ReactNode
  /** Content above the list, such as a search box or filters. */
  readonly filters?: ReactNode
  /** Content below the list. */
  readonly children?: ReactNode
}

/** A button that opens a dialog. */
interface CreateButton {
  readonly text: string
  /** The kind of action, for permissions. @default 'edit' */
  readonly needs?: Need
  /** @default a plus */
  readonly icon?: ReactNode
  dialog(close: () => void): ReactNode
}

/** Lists resources of one kind. */
export function ResourceList<Row>(props: ResourceListProps<Row>): ReactNode {
  const { title, lead, list, columns, keyOf, empty, create, actions, filters, children } = props
  const { what = `the ${title.toLowerCase()}` } = props
  const [isCreating, setCreating] = useState(false)
  const createButton = create && (
    <Button
      needs={create.needs ?? 'edit'}
      variant="primary"
      icon={create.icon ?? <Plus size={15} />}
      onClick={() => setCreating(true)}
    >
      {create.text}
    </Button>
  )
  const buttons = (actions ?? createButton) !== undefined && (
    <>
      {actions}
      {createButton}
    </>
  )
  return (
    <Page title={title} lead={lead} actions={buttons || undefined}>
      {filters}
      <LoadedPanel what={what} read={{ data: list.rows, error: list.error, refetch: list.retry }}>
        {(rows) => (
          <ListPage count={rows.length} toFirst={list.toFirst} empty={empty} pager={list.pager}>
            <Table label={title} columns={columns} rows={rows} keyOf={keyOf} />
          </ListPage>
        )}
      </LoadedPanel>
      {children}
      {isCreating && create?.dialog(() => setCreating(false))}
    </Page>
  )
}

/** A row's link, with the identifier below it. */
export function NamedLink({
  to,
  name,
  id,
}: {
  readonly to: string
  readonly name: string
  readonly id?: string
}): ReactNode {
  return (
    <span className={style['named']}>
      <Link to={to}>{name}</Link>
      {id !== undefined && id !== name && <code>{id}</code>}
    </span>
  )
}

/** A row of badges in a table cell. */
export function BadgeRow({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className={style['badges']}>{children}</span>
}
