import { type ParserPlugin, parse } from '@babel/parser'
import MagicString from 'magic-string'

/** A node of the syntax tree, as far as it is looked at. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly loc?: { readonly start: { readonly line: number; readonly column: number } }
  readonly [field: string]: unknown
}

/** Something that a person has to look at. */
export interface Remark {
  /** The line, from 1. */
  readonly line: number
  /** What is to be done. */
  readonly text: string
}

/** A file that is being moved. */
export interface Source {
  /** The syntax tree. */
  readonly program: Node
  /** The text, with the changes so far. */
  readonly text: MagicString
  /** What has been remarked so far. */
  readonly remarks: Remark[]
  /** The node around each node. */
  readonly parents: ReadonlyMap<Node, Node>
  /** The comments. */
  readonly comments: readonly Node[]
  /** Names that the file has imported, by their local name. */
  readonly imported: Map<string, string>
  /** Names that the file gave to whole modules of the former package. */
  readonly wholes: Set<string>
  /** Packages that the file imports now. */
  readonly packages: Set<string>
  /** Names of the schemas of controls that the file takes from others. */
  readonly controls: Set<string>
  /** New names of variables that mean something else in the project already. */
  readonly taken: ReadonlySet<string>
}

/**
 * Reads a file.
 *
 * @param text - TypeScript or JavaScript, with or without JSX.
 * @param isJsx - Whether `<` may begin an element; in TypeScript it may begin a type assertion instead.
 * @param taken - New names of variables that mean something else in the project already.
 * @throws SyntaxError - The file cannot be read.
 */
export function readSource(text: string, isJsx: boolean, taken: ReadonlySet<string>): Source {
  const file = parseText(text, isJsx)
  const program = file.program as unknown as Node
  const parents = new Map<Node, Node>()
  walk(program, (node, parent) => void (parent && parents.set(node, parent)))
  return {
    program,
    parents,
    comments: nodesOf(file.comments),
    text: new MagicString(text),
    remarks: [],
    imported: new Map(),
    wholes: new Set(),
    packages: new Set(),
    controls: new Set(),
    taken,
  }
}

/** What files are written in besides the language itself; those that are read in the first way need no other. */
const common: readonly ParserPlugin[] = [
  'decoratorAutoAccessors',
  'explicitResourceManagement',
  'deprecatedImportAssert',
]
const dialects: readonly (readonly ParserPlugin[])[] = [
  ['typescript', 'decorators-legacy', ...common],
  ['typescript', 'decorators', ...common],
  ['flow', 'decorators-legacy', ...common],
]

function parseText(text: string, isJsx: boolean): ReturnType<typeof parse> {
  let first: unknown
  for (const dialect of dialects) {
    const plugins: ParserPlugin[] = [...dialect, ...(isJsx ? (['jsx'] as const) : [])]
    try {
      return parse(text, { sourceType: 'unambiguous', allowReturnOutsideFunction: true, plugins })
    } catch (error) {
      first ??= error
    }
  }
  throw first
}

/**
 * Remarks on a place.
 *
 * @param source - The file.
 * @param node - The place.
 * @param text - What is to be done.
 */
export function remark(source: Source, node: Node, text: string): void {
  source.remarks.push({ line: node.loc?.start.line ?? 0, text })
}

/**
 * Calls back for a node and all nodes in it, outermost first.
 *
 * @param node - Where to begin.
 * @param visit - Called with each node and the one around it.
 */
export function walk(node: Node, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  visit(node, parent)
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc' || key.endsWith('Comments')) continue
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, node)
  }
}

/**
 * Returns whether a value is a node.
 *
 * @param value - Any value.
 */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string'
}

/**
 * Returns the name of an identifier, or of a key that is written as one; `undefined` for anything else.
 *
 * @param node - A node.
 */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier') return String(node['name'])
  return node.type === 'StringLiteral' ? String(node['value']) : undefined
}

/**
 * Returns the text that a node is, written in quotes or backticks; `undefined` where it is none or depends on values.
 *
 * @param node - A node.
 */
export function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node['value'])
  const [only, ...others] = node.type === 'TemplateLiteral' ? nodesOf(node['quasis']) : []
  const value = others.length === 0 ? only?.['value'] : undefined
  return typeof value === 'object' && value !== null ? String(Reflect.get(value, 'cooked')) : undefined
}

/**
 * Returns the nodes of a list, holes left out.
 *
 * @param value - A field of a node.
 */
export function nodesOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

/**
 * Returns what a function written in place returns, not what functions in it do.
 *
 * @param handler - The function; anything else returns nothing.
 */
export function returnedBy(handler: Node | undefined): readonly Node[] {
  if (!handler || !functions.includes(handler.type)) return []
  const { body } = handler
  if (!isNode(body)) return []
  return body.type === 'BlockStatement' ? returnedIn(body) : [body]
}

const functions = [
  'ArrowFunctionExpression',
  'FunctionExpression',
  'FunctionDeclaration',
  'ObjectMethod',
  'ClassMethod',
]

function returnedIn(node: Node): readonly Node[] {
  if (node.type === 'ReturnStatement') return isNode(node['argument']) ? [node['argument']] : []
  if (functions.includes(node.type) || node.type.endsWith('Expression')) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'loc' || key.endsWith('Comments')
      ? []
      : (Array.isArray(value) ? value : [value]).filter(isNode).flatMap(returnedIn),
  )
}
