import { createElement, Fragment, type ReactNode } from 'react'
import { ownEntry } from '../base/own-entry.ts'

const renderedTags: Readonly<Record<string, string>> = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  u: 'u',
  code: 'code',
  p: 'p',
  br: 'br',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
}
const dropped = new Set(['script', 'style', 'template', 'iframe', 'object', 'svg', 'math'])
const maxDepth = 20

/**
 * Shows simple HTML, such as the body of an in-app message: emphasis, lists and paragraphs. Other elements are reduced
 * to their text, and all attributes are dropped.
 */
export function SimpleHtml({ html }: { readonly html: string }): ReactNode {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return <>{children(body, 0)}</>
}

function children(parent: Node, depth: number): readonly ReactNode[] {
  return [...parent.childNodes].map((node, index) => toReact(node, { key: index, depth }))
}

function toReact(node: Node, { key, depth }: { key: number; depth: number }): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element) || dropped.has(node.localName) || depth > maxDepth) return null
  const name = ownEntry(renderedTags, node.localName)
  if (name === 'br') return <br key={key} />
  if (name === undefined) return <Fragment key={key}>{children(node, depth + 1)}</Fragment>
  return createElement(name, { key }, ...children(node, depth + 1))
}
