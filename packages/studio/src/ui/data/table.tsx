import type { ReactNode } from 'react'
import style from './table.module.css'

/** A column of a table. */
export interface Column<Row> {
  /** Names the column. */
  readonly key: string
  /** Its heading. */
  readonly title: string
  /** What stands in it. Make the first column's text the link of the row. */
  show(row: Row): ReactNode
  /** Whether it is left out on a phone. @default false */
  readonly wideOnly?: boolean
  /** Whether it stands at the right, as numbers do. @default false */
  readonly end?: boolean
  /** Whether it takes the width that is left, and cuts what is longer. @default false */
  readonly rest?: boolean
}

/** What a table is given. */
export interface TableProps<Row> {
  /** Said to screen readers. */
  readonly label: string
  /** Its columns. */
  readonly columns: readonly Column<Row>[]
  /** Its rows. */
  readonly rows: readonly Row[]
  /** Names a row. */
  keyOf(row: Row): string
  /** Whether rows are low, and open the link of their first column wherever they are pressed. @default false */
  readonly dense?: boolean
}

/** Shows rows. Put it into a flush panel. */
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

function classOf<Row>({ wideOnly = false, end = false, rest = false }: Column<Row>): string {
  return [wideOnly && style['wideOnly'], end && style['end'], rest && style['rest']].filter(Boolean).join(' ')
}
