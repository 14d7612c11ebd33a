import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Need } from '../base/access.tsx'
import { Button } from '../ui/button.tsx'
import { LoadedPanel } from '../ui/data/loaded-panel.tsx'
import { type Column, Table } from '../ui/data/table.tsx'
import { Page } from '../ui/page.tsx'
import style from './resource.module.css'
import type { ListState } from './use-list.tsx'

/** Props of a resource list page. */
export interface ResourceListProps<Row> {
  /** Its heading. */
  readonly title: string
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
  /** The label of the create button, and the dialog that it opens. */
  readonly create?: { readonly text: string; readonly needs?: Need; dialog(close: () => void): ReactNode }
  /** Additional buttons at the end of the heading. */
  readonly actions?: ReactNode
  /** Content above the list, such as a search box or filters. */
  readonly filters?: ReactNode
  /** Content below the list. */
  readonly children?: ReactNode
}

/** Lists resources of one kind. */
export function ResourceList<Row>(props: ResourceListProps<Row>): ReactNode {
  const { title, lead, list, columns, keyOf, empty, create, actions, filters, children } = props
  const [isCreating, setCreating] = useState(false)
  const createButton = create && (
    <Button
      needs={create.needs ?? 'edit'}
      variant="primary"
      icon={<Plus size={15} />}
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
      <LoadedPanel
        what={`the ${title.toLowerCase()}`}
        read={{ data: list.rows, error: list.error, refetch: list.retry }}
      >
        {(rows) =>
          rows.length === 0 ? (
            empty
          ) : (
            <>
              <Table label={title} columns={columns} rows={rows} keyOf={keyOf} />
              {list.pager}
            </>
          )
        }
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
