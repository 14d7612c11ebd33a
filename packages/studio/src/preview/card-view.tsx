import { Image } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import style from './card.module.css'
import { listOf, type Outputs, textOf } from './outputs.ts'

/** Shows the card of a chat message. */
export function CardView({ card }: { readonly card: Outputs }): ReactNode {
  return (
    <div className={style['card']}>
      {textOf(card, 'title') !== undefined && <p className={style['title']}>{textOf(card, 'title')}</p>}
      {textOf(card, 'subtitle') !== undefined && <p className={style['muted']}>{textOf(card, 'subtitle')}</p>}
      {textOf(card, 'imageUrl') !== undefined && <Picture part={{ url: card['imageUrl'] }} />}
      <Parts parent={card} />
    </div>
  )
}

function Parts({ parent }: { readonly parent: unknown }): ReactNode {
  return listOf(parent, 'children').map((part, index) => {
    const Shown = parts[textOf(part, 'type') ?? '']
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
    return <Fragment key={index}>{Shown ? <Shown part={part} /> : null}</Fragment>
  })
}

interface PartProps {
  readonly part: unknown
}

const parts: Readonly<Record<string, (props: PartProps) => ReactNode>> = {
  text: ({ part }) => <p className={style[textOf(part, 'style') ?? 'plain']}>{textOf(part, 'content')}</p>,
  image: Picture,
  divider: () => <hr className={style['divider']} />,
  link: ({ part }) => (
    <p className={style['link']} title={textOf(part, 'url')}>
      {textOf(part, 'label')}
    </p>
  ),
  section: ({ part }) => (
    <div className={style['section']}>
      <Parts parent={part} />
    </div>
  ),
  actions: ({ part }) => (
    <div className={style['actions']}>
      {listOf(part, 'children').map((action, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: actions have no identity but their place
          key={index}
          className={`${style['action']} ${style[textOf(action, 'style') ?? 'default']}`}
          title={textOf(action, 'url')}
        >
          {textOf(action, 'label')}
          {textOf(action, 'type')?.includes('select') && ' ▾'}
        </span>
      ))}
    </div>
  ),
  fields: ({ part }) => (
    <dl className={style['fields']}>
      {listOf(part, 'children').map((field) => (
        <div key={textOf(field, 'label')}>
          <dt>{textOf(field, 'label')}</dt>
          <dd>{textOf(field, 'value')}</dd>
        </div>
      ))}
    </dl>
  ),
  table: CardTable,
}

function Picture({ part }: PartProps): ReactNode {
  return (
    <p className={style['picture']} title={textOf(part, 'url')}>
      <Image size={15} aria-hidden /> {textOf(part, 'alt') ?? textOf(part, 'url')}
    </p>
  )
}

function CardTable({ part }: PartProps): ReactNode {
  const align = listOf(part, 'align')
  const alignOf = (column: number): React.CSSProperties => ({ textAlign: align[column] === 'right' ? 'end' : 'start' })
  return (
    <table className={style['table']}>
      <thead>
        <tr>
          {listOf(part, 'headers').map((header, column) => (
            <th key={String(header)} scope="col" style={alignOf(column)}>
              {String(header)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {listOf(part, 'rows').map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows and cells have no identity but their place
          <tr key={index}>
            {(Array.isArray(row) ? row : []).map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows and cells have no identity but their place
              <td key={column} style={alignOf(column)}>
                {String(cell)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
