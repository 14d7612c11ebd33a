import { plainFilter } from './plain-filters.ts'
import type {
  PlainFilter,
  PlainLoop,
  PlainNode,
  PlainOutput,
  PlainPath,
  PlainTemplate,
  PlainTest,
} from './plain-template.ts'
import type { TemplateVariables } from './template-variables.ts'

const name = '[A-Za-z_][A-Za-z0-9_]*'
const path = `${name}(?:\\.${name})*`
const filter = `\\| *[a-z]+ *(?:: *(?:"[^"\\\\{}%]*"|'[^'\\\\{}%]*') *)?`
const output = `\\{\\{ *(?<output>${path}) *(?<filters>(?:${filter})*)\\}\\}`
const tag = `\\{% *(?:for +(?<item>${name}) +in +(?<list>${path})|if +(?<test>${path})|(?<end>else|endif|endfor)) *%\\}`
const markup = new RegExp(`${output}|${tag}`, 'y')
const oneFilter = /\| *([a-z]+) *(?:: *(?:"([^"]*)"|'([^']*)'))?/g

/** The variables available in every template. */
const variables: Readonly<Record<keyof TemplateVariables, true>> = {
  payload: true,
  subscriber: true,
  actor: true,
  context: true,
  env: true,
  steps: true,
  workflow: true,
}
/** Reserved words of the engine. */
const reserved: ReadonlySet<string> = new Set([
  ...['true', 'false', 'nil', 'null', 'empty', 'blank', 'contains', 'and', 'or', 'not', 'in'],
  ...['forloop', 'tablerowloop'],
])
/** Fields that the engine computes if the data has no field with that name. */
const computed: ReadonlySet<string> = new Set(['size', 'first', 'last'])
const maxOpen = 20

/** A block that has not been closed yet. */
interface OpenBlock {
  readonly node: PlainLoop | PlainTest | undefined
  /** The variables of the enclosing loops, outermost first. */
  readonly items: readonly string[]
  /** The node list to which further parts are added. */
  into: PlainNode[]
}

/**
 * Compiles a plain template: text, variables with a few filters, loops over lists, existence checks. Most templates are
 * plain and do not need the engine.
 *
 * @returns `undefined` if any part is invalid or not plain.
 */
export function compilePlain(text: string): PlainTemplate | undefined {
  const nodes: PlainNode[] = []
  const open: OpenBlock[] = [{ node: undefined, items: [], into: nodes }]
  for (let at = 0; at < text.length; ) {
    const start = findMarkup(text, at)
    const block = open.at(-1)
    if (start > at) block?.into.push(text.slice(at, start))
    if (start === text.length) break
    markup.lastIndex = start
    const groups = markup.exec(text)?.groups
    if (!block || !groups || !addMarkup(groups, block, open)) return undefined
    at = markup.lastIndex
  }
  return open.length === 1 ? { nodes, lone: findLone(nodes) } : undefined
}

function findMarkup(text: string, from: number): number {
  for (let at = text.indexOf('{', from); at !== -1; at = text.indexOf('{', at + 1)) {
    const next = text[at + 1]
    if (next === '{' || next === '%') return at
  }
  return text.length
}

type Groups = Readonly<Record<string, string | undefined>>

/** Adds a tag or an expression; returns `false` if it is not plain. */
function addMarkup(groups: Groups, block: OpenBlock, open: OpenBlock[]): boolean {
  const { output: expression, filters = '', end } = groups
  if (expression !== undefined) return addOutput(expression, filters, block)
  return end === undefined ? openBlock(groups, block, open) : closeBlock(end, block, open)
}

function addOutput(expression: string, text: string, block: OpenBlock): boolean {
  const source = toPath(expression, block.items)
  const filters = toFilters(text)
  if (!source || !filters) return false
  block.into.push({ kind: 'output', path: source, filters })
  return true
}

function openBlock({ item, list, test }: Groups, block: OpenBlock, open: OpenBlock[]): boolean {
  const source = toPath(list ?? test ?? '', block.items)
  if (!source || open.length > maxOpen || (item !== undefined && reserved.has(item))) return false
  const node: PlainLoop | PlainTest =
    item === undefined
      ? { kind: 'test', path: source, body: [], otherwise: [] }
      : { kind: 'loop', path: source, body: [] }
  block.into.push(node)
  open.push({ node, items: item === undefined ? block.items : [...block.items, item], into: node.body })
  return true
}

function closeBlock(end: string, block: OpenBlock, open: OpenBlock[]): boolean {
  const { node } = block
  if (end === 'else') {
    if (node?.kind !== 'test' || block.into === node.otherwise) return false
    block.into = node.otherwise
    return true
  }
  if (node?.kind !== (end === 'endif' ? 'test' : 'loop')) return false
  open.pop()
  return true
}

function toPath(text: string, items: readonly string[]): PlainPath | undefined {
  const [root = '', ...keys] = text.split('.')
  if (keys.some((key) => computed.has(key))) return undefined
  const item = items.lastIndexOf(root)
  if (item === -1 && !Object.hasOwn(variables, root)) return undefined
  return { root: item === -1 ? root : item, keys }
}

function toFilters(text: string): readonly PlainFilter[] | undefined {
  const filters: PlainFilter[] = []
  if (text === '') return filters
  for (const [, filterName = '', double, single] of text.matchAll(oneFilter)) {
    const parsedFilter = plainFilter(filterName, double ?? single)
    if (!parsedFilter) return undefined
    filters.push(parsedFilter)
  }
  return filters
}

function findLone(nodes: readonly PlainNode[]): PlainOutput | undefined {
  const [only, another] = nodes.filter((node) => typeof node !== 'string' || node.trim() !== '')
  return typeof only === 'object' && only.kind === 'output' && another === undefined ? only : undefined
}
