import { type ParserPlugin, parse } from '@babel/parser'
import MagicString from 'magic-string'

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly loc?: { readonly start: { readonly line: number; readonly column: number } }
  readonly [field: string]: unknown
}

/** A place to check by hand. */
export interface Remark {
  /** The line, starting at 1. */
  readonly line: number
  /** What to do. */
  readonly text: string
}

/** A file that is being moved. */
export interface Source {
  readonly program: Node
  /** The text with the changes so far. */
  readonly text: MagicString
  /** The remarks so far. */
  readonly remarks: Remark[]
  /** The parent of each node. */
  readonly parents: ReadonlyMap<Node, Node>
  readonly comments: readonly Node[]
  /** Imported names, by local name. */
  readonly imported: Map<string, string>
  /** Local names of namespace imports of the former package. */
  readonly wholes: Set<string>
  /** Packages that the file imports after the move. */
  readonly packages: Set<string>
  /** Names of control schemas that the file imports. */
  readonly controls: Set<string>
  /** New variable names that the project already uses for something else. */
  readonly taken: ReadonlySet<string>
}

/**
 * @param text - TypeScript or JavaScript, with or without JSX.
 * @param isJsx - Whether `<` starts an element; otherwise it can start a TypeScript type assertion.
 * @param takenNames - New variable names that the project already uses for something else.
 * @throws SyntaxError - The file cannot be parsed.
 */
export function readSource(text: string, isJsx: boolean, takenNames: ReadonlySet<string>): Source {
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
    taken: takenNames,
  }
}

/** The parser plugins for all files. Files that parse with the first set need no other. */
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

/** Adds a remark for a node. */
export function remark(source: Source, node: Node, text: string): void {
  source.remarks.push({ line: node.loc?.start.line ?? 0, text })
}

/**
 * Visits a node and its descendants, parents first.
 *
 * @param visit - Called with each node and its parent.
 */
export function walk(node: Node, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  visit(node, parent)
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc' || key.endsWith('Comments')) continue
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, node)
  }
}

/** Returns whether a value is a syntax node. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string'
}

/** Returns the name of an identifier or of an unquoted key; `undefined` for other nodes. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier') return String(node['name'])
  return node.type === 'StringLiteral' ? String(node['value']) : undefined
}

/** Returns the value of a string literal; `undefined` for other nodes and for templates with values. */
export function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node['value'])
  const [only, ...others] = node.type === 'TemplateLiteral' ? nodesOf(node['quasis']) : []
  const value = others.length === 0 ? only?.['value'] : undefined
  return typeof value === 'object' && value !== null ? String(Reflect.get(value, 'cooked')) : undefined
}

/** Returns the nodes of a list, without holes. */
export function nodesOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** Returns the values that an inline function returns, without those of nested functions. */
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

/**
 * Returns the string literal that names the module of an import, export or `require`.
 *
 * @param node - The statement or call; other nodes have no module.
 */
export function moduleOf(node: Node): Node | undefined {
  if (['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'].includes(node.type))
    return isNode(node['source']) ? node['source'] : undefined
  if (node.type !== 'CallExpression') return undefined
  const { callee } = node
  const [argument] = nodesOf(node['arguments'])
  const isImport = (isNode(callee) && callee.type === 'Import') || nameOf(callee) === 'require'
  return isImport && argument && textOf(argument) !== undefined ? argument : undefined
}
