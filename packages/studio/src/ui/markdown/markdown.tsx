import type { MarkedToken, Token, Tokens } from 'marked'
import { Fragment, type ReactNode, useMemo } from 'react'
import style from './markdown.module.css'
import { OutsideLink } from './outside-link.tsx'
import { decodeEntities, readMarkdown } from './read-markdown.ts'

// Deeper than real text, and far below the stack limit.
const maxDepth = 30

/**
 * Renders Markdown as elements. HTML in it is shown as text, images are shown as links, and only web, mail and phone
 * URLs become links.
 */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  const tokens = useMemo(() => readMarkdown(text), [text])
  return <div className={style['markdown']}>{tokens ? <Pieces tokens={tokens} depth={0} /> : <p>{text}</p>}</div>
}

interface TokensProps {
  readonly tokens: readonly Token[] | undefined
  readonly depth: number
}

function Pieces({ tokens = [], depth }: TokensProps): ReactNode {
  if (depth > maxDepth) return tokens.map(({ raw }) => raw).join('')
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity but their place
    <Fragment key={index}>{toNode(token as MarkedToken, depth + 1)}</Fragment>
  ))
}

function toNode(token: MarkedToken, depth: number): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'text':
      return token.tokens ? <Pieces tokens={token.tokens} depth={depth} /> : decodeEntities(token.text)
    case 'escape':
      return token.text
    case 'br':
      return <br />
    case 'hr':
      return <hr />
    case 'codespan':
      return <code>{token.text}</code>
    case 'code':
      return <Code token={token} />
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'image':
      return <OutsideLink to={token.href}>{token.text === '' ? token.href : decodeEntities(token.text)}</OutsideLink>
    case 'list':
      return <List token={token} depth={depth} />
    case 'table':
      return <MarkdownTable token={token} depth={depth} />
    default:
      return toMarked(token, depth)
  }
}

/** Tokens that only style their children. */
function toMarked(token: MarkedToken, depth: number): ReactNode {
  const inner = 'tokens' in token && <Pieces tokens={token.tokens} depth={depth} />
  switch (token.type) {
    case 'paragraph':
      return <p>{inner}</p>
    // The page has its own headings, so headings in a message are only bold.
    case 'heading':
      return <p className={style['heading']}>{inner}</p>
    case 'strong':
      return <strong>{inner}</strong>
    case 'em':
      return <em>{inner}</em>
    case 'del':
      return <del>{inner}</del>
    case 'blockquote':
      return <blockquote>{inner}</blockquote>
    case 'link':
      return <OutsideLink to={token.href}>{inner}</OutsideLink>
    // Mostly HTML, which is shown as text.
    default:
      return token.raw
  }
}

function Code({ token: { text, lang } }: { readonly token: Tokens.Code }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className={style['code']} tabIndex={0} aria-label={lang ? `Code, ${lang}` : 'Code'}>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
  )
}

function List({ token, depth }: { readonly token: Tokens.List; readonly depth: number }): ReactNode {
  const items = token.items.map(({ tokens }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place
    <li key={index}>
      <Pieces tokens={tokens} depth={depth} />
    </li>
  ))
  return token.ordered ? <ol start={Number(token.start)}>{items}</ol> : <ul>{items}</ul>
}

function MarkdownTable({ token, depth }: { readonly token: Tokens.Table; readonly depth: number }): ReactNode {
  const toCell = (cell: Tokens.TableCell): ReactNode => <Pieces tokens={cell.tokens} depth={depth} />
  const alignOf = ({ align }: Tokens.TableCell): React.CSSProperties => ({ textAlign: align ?? 'start' })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className={style['code']} tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their place
              <th key={index} scope="col" style={alignOf(cell)}>
                {toCell(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, rowIndex) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
            <tr key={rowIndex}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their place
                <td key={index} style={alignOf(cell)}>
                  {toCell(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
