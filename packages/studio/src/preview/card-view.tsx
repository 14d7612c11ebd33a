import { Fragment, type ReactNode } from 'react'
import { ownEntry } from '../base/own-entry.ts'
import { OutsideLink } from '../ui/markdown/outside-link.tsx'
import style from './card.module.css'
import { CardActions, type CardListener } from './card-actions.tsx'
import { CardPicture } from './card-picture.tsx'
import { listOf, type Outputs, textOf } from './outputs.ts'

export interface CardViewProps {
  readonly card: Outputs
  /** Receives clicks and selections; without it, the card is read-only. */
  readonly onAct?: CardListener
}

/** Shows the card in a chat message. */
export function CardView({ card, onAct }: CardViewProps): ReactNode {
  return (
    <div className={style['card']}>
      {textOf(card, 'title') !== undefined && <p className={style['title']}>{textOf(card, 'title')}</p>}
      {textOf(card, 'subtitle') !== undefined && <p className={style['muted']}>{textOf(card, 'subtitle')}</p>}
      {textOf(card, 'imageUrl') !== undefined && (
        <CardPicture part={{ url: card['imageUrl'] }} loads={onAct !== undefined} />
      )}
      <Parts part={card} onAct={onAct} />
    </div>
  )
}

interface PartProps {
  readonly part: unknown
  readonly onAct: CardListener | undefined
}

function Parts({ part: parent, onAct }: PartProps): ReactNode {
  return listOf(parent, 'children').map((part, index) => {
    const Shown = ownEntry(parts, textOf(part, 'type') ?? '')
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
    return <Fragment key={index}>{Shown ? <Shown part={part} onAct={onAct} /> : null}</Fragment>
  })
}

const parts: Readonly<Record<string, (props: PartProps) => ReactNode>> = {
  text: ({ part }) => <p className={ownEntry(style, textOf(part, 'style') ?? 'plain')}>{textOf(part, 'content')}</p>,
  image: ({ part, onAct }) => <CardPicture part={part} loads={onAct !== undefined} />,
  divider: () => <hr className={style['divider']} />,
  link: ({ part, onAct }) => (
    <p className={style['link']} data-tip={textOf(part, 'url')}>
      {onAct ? <OutsideLink to={textOf(part, 'url')}>{textOf(part, 'label')}</OutsideLink> : textOf(part, 'label')}
    </p>
  ),
  section: (props) => (
    <div className={style['section']}>
      <Parts {...props} />
    </div>
  ),
  actions: CardActions,
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
