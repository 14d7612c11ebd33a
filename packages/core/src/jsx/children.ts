/** The allowed children of a card tag: parts, strings, numbers, lists of these, and empty values. */
export type CardNode = object | string | number | boolean | null | undefined | readonly CardNode[]

const maxDepth = 100

/**
 * Flattens children, without empty values (`null`, `undefined`, `true`, `false`).
 *
 * @throws TypeError - They are nested deeper than 100 levels.
 */
export function flatten(children: unknown): readonly unknown[] {
  const flatChildren: unknown[] = []
  collect(children, flatChildren, 0)
  return flatChildren
}

function collect(child: unknown, flatChildren: unknown[], depth: number): void {
  if (depth > maxDepth) throw new TypeError(`The children of a card are nested more than ${maxDepth} lists deep.`)
  if (Array.isArray(child)) for (const item of child) collect(item, flatChildren, depth + 1)
  else if (child !== null && child !== undefined && typeof child !== 'boolean') flatChildren.push(child)
}

/**
 * Joins children into one text.
 *
 * @throws TypeError - A child is neither a string nor a number.
 */
export function toText(tag: string, children: unknown): string {
  return flatten(children)
    .map((child) => {
      if (typeof child === 'string' || typeof child === 'number') return String(child)
      throw new TypeError(`<${tag}> takes text and numbers; got ${describeChild(child)}.`)
    })
    .join('')
}

/** The parts allowed in a tag. */
export interface Accepted {
  readonly types: readonly string[]
  /** The tags of these parts, for error messages. */
  readonly tags: string
}

/**
 * Returns children that are parts of a card.
 *
 * @throws TypeError - A child has a different type.
 */
export function toParts<TPart>(tag: string, children: unknown, { types, tags }: Accepted): readonly TPart[] {
  return flatten(children).map((child) => {
    const type = typeof child === 'object' && child !== null ? Reflect.get(child, 'type') : undefined
    if (typeof type === 'string' && types.includes(type)) return child as TPart
    const advice = typeof child === 'string' && tags.includes('<Text>') ? ' Wrap it in <Text>.' : ''
    throw new TypeError(`<${tag}> takes ${tags}; got ${describeChild(child)}.${advice}`)
  })
}

function describeChild(child: unknown): string {
  if (typeof child === 'string')
    return `the text ${JSON.stringify(child.length > 40 ? `${child.slice(0, 40)}…` : child)}`
  if (typeof child === 'function') return `the function ${child.name || 'without a name'}; write components as tags`
  if (typeof child !== 'object' || child === null) return `${typeof child} ${String(child)}`
  const type = Reflect.get(child, 'type')
  return typeof type === 'string' ? `a part of type "${type}"` : 'an object that is not part of a card'
}
