import { isJson, toText } from '@trestle/templates/text'
import { countValue } from './count-value.ts'
import { notPlain, type PlainNode, type PlainOutput, type PlainPath, type PlainTemplate } from './plain-template.ts'
import type { RenderOptions } from './render-options.ts'

/** The number of filter characters that count as one template part. */
const charactersPerPart = 16

interface Walk {
  readonly variables: object
  /** The current items of the enclosing loops, outermost first. */
  readonly items: unknown[]
  /** The maximum length of the text. */
  readonly maxLength: number
  /** How many template parts may still be rendered. */
  left: number
  text: string
}

/**
 * Renders a plain template with the same result as the engine.
 *
 * @param options - The variables and the remaining budget.
 * @returns The value; `undefined` if the data is not plain or a limit is almost reached, so that the engine has to
 * render it.
 */
export function renderPlain(
  { nodes, lone }: PlainTemplate,
  { variables, budget, native }: RenderOptions,
): { readonly value: unknown } | undefined {
  const maxLength = Math.min(budget.limits.maxControlLength, budget.outputLength)
  const walk: Walk = { variables, items: [], maxLength, left: budget.plainParts, text: '' }
  try {
    if (native && lone) {
      const value = evaluate(lone, walk)
      if (isJson(value)) return countValue(value, budget) ? { value } : undefined
    }
    render(nodes, walk)
    if (walk.text.length > maxLength) return undefined
    budget.outputLength -= walk.text.length
    return { value: walk.text }
  } catch {
    // The engine throws the same error, and reports the position.
    return undefined
  } finally {
    budget.plainParts = walk.left
  }
}

function render(nodes: readonly PlainNode[], walk: Walk): void {
  for (const node of nodes) {
    if (--walk.left < 0 || walk.text.length > walk.maxLength) throw notPlain
    if (typeof node === 'string') walk.text += node
    else if (node.kind === 'output') walk.text += toText(evaluate(node, walk))
    else if (node.kind === 'test') render(isTrue(read(node.path, walk)) ? node.body : node.otherwise, walk)
    else renderItems(read(node.path, walk), node.body, walk)
  }
}

function renderItems(list: unknown, body: readonly PlainNode[], walk: Walk): void {
  if (list === undefined || list === null) return
  if (!Array.isArray(list)) throw notPlain
  const { items } = walk
  const depth = items.length
  for (let index = 0; index < list.length; index++) {
    if (--walk.left < 0) throw notPlain
    items[depth] = list[index]
    render(body, walk)
  }
  items.length = depth
}

function isTrue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false
}

function evaluate({ path, filters }: PlainOutput, walk: Walk): unknown {
  let value = read(path, walk)
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) assertPlain(value)
  for (const filter of filters) {
    // A filter counts the text it processes, and `escape` makes the text longer. Long text is left to the engine, which
    // counts both the input and the output.
    walk.left -= 1 + (typeof value === 'string' ? Math.floor(value.length / charactersPerPart) : 0)
    if (walk.left < 0) throw notPlain
    value = filter(value)
  }
  return value
}

function read({ root, keys }: PlainPath, { variables, items }: Walk): unknown {
  if (typeof root === 'string' && !Object.hasOwn(variables, root)) throw notPlain
  let value = typeof root === 'string' ? readField(variables, root) : items[root]
  for (const key of keys) {
    if (value === undefined || value === null) return value
    value = readField(value, key)
  }
  return value
}

/** Reads a field; like the engine, only own properties. */
function readField(base: unknown, key: string): unknown {
  if (typeof base !== 'object' || base === null) throw notPlain
  assertPlain(base)
  const value: unknown = Object.hasOwn(base, key) ? (base as Record<string, unknown>)[key] : undefined
  if (typeof value === 'function') throw notPlain
  return value
}

/** Rejects class instances, because they can have custom accessors. */
function assertPlain(value: object): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === null || prototype === Array.prototype
  if (!isPlain || typeof (value as { toLiquid?: unknown }).toLiquid === 'function') throw notPlain
}
