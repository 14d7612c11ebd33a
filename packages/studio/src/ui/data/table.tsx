import type { ReactNode } from 'react'
import style from './table.module.css'

/** A column of a table. */
export interface Column<Row> {
  /** Identifies the column. */
  readonly key: string
  /** Its heading. */
  readonly title: string
  /** Renders a cell. The text of the first column should be the row's link. */
  show(row: Row): ReactNode
  /** Whether it is hidden on phones. @default false */
  readonly wideOnly?: boolean
  /** Whether it is right-aligned, for example for numbers. @default false */
  readonly end?: boolean
  /** Whether it takes the remaining width and truncates its content. @default false */
  readonly rest?: boolean
  /** Whether it stays on one line, and truncates long names. @default false */
  readonly oneLine?: boolean
}

export interface TableProps<Row> {
  /** The accessible label. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Returns the key of a row. */
  keyOf(row: Row): string
  /** Whether rows are compact and open the first column's link when clicked. @default false */
  readonly dense?: boolean
}

/** A table. Place it inside a flush panel. */
export function Table<Row>({ label, columns, rows, keyOf, dense = false }: TableProps<Row>): ReactNode {
  return (
    <div className={style['scroll']}>
      <table className={`${style['table']} ${dense ? style['dense'] : ''}`} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.key} className={classOf(column)}>
                  {column.show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function classOf<Row>({ wideOnly, end, rest, oneLine }: Column<Row>): string {
  return [wideOnly && style['wideOnly'], end && style['end'], rest && style['rest'], oneLine && style['oneLine']]
    .filter(Boolean)
    .join(' ')
}
