import type { Liquid, Template as Node, Output } from 'liquidjs'

type Library = Pick<typeof import('liquidjs'), 'Output' | 'toValueSync'>

/** A place in a template, starting at line 1, column 1. */
export interface Place {
  readonly row: number
  readonly col: number
}

/** The translations of a template. */
export interface Translations {
  /** The outputs that start with a translation, `{{ t.key }}`, with the keys; without them if they are variables. */
  readonly outputs: ReadonlyMap<Output, readonly string[] | undefined>
  /** All other uses of `t`, such as in a condition. */
  readonly others: readonly Place[]
}

/**
 * Finds the translations in a template. A `t` that the template itself binds (assign, for) is a variable like any other.
 *
 * @param template - The text, and the nodes it was parsed to.
 * @example
 * findTranslations({ text, nodes: liquid.parse(text) }, { liquid, library }).others // uses in tags, with their places
 */
export function findTranslations(
  { text, nodes }: { readonly text: string; readonly nodes: Node[] },
  { liquid, library }: { readonly liquid: Liquid; readonly library: Library },
): Translations {
  const outputs = new Map<Output, readonly string[] | undefined>()
  if (!/\bt\s*[.[]/.test(text)) return { outputs, others: [] }
  const references = liquid.analyzeSync(nodes, { partials: false }).globals['t'] ?? []
  const open = new Map(
    references
      .filter(({ segments }) => segments.length > 1)
      .map(({ location, segments }) => [`${location.row}:${location.col}`, { location, keys: segments.slice(1) }]),
  )
  for (const output of open.size > 0 ? outputsOf(nodes, library) : []) {
    const [token, another] = output.value.initial.postfix
    if (!token || another) continue
    const place = token.getPosition().join(':')
    const found = open.get(place)
    if (!found || !open.delete(place)) continue
    const areFixed = found.keys.every((key) => typeof key === 'string' || typeof key === 'number')
    outputs.set(output, areFixed ? found.keys.map(String) : undefined)
  }
  return { outputs, others: [...open.values()].map(({ location: { row, col } }) => ({ row, col })) }
}

/**
 * Yields all outputs of a template, including those in tags.
 *
 * @example
 * Array.from(outputsOf(liquid.parse('{% if a %}{{ b }}{% endif %}'), library)).length // 1
 */
export function* outputsOf(nodes: readonly Node[], library: Library): Generator<Output> {
  for (const node of nodes) {
    const children: unknown = node.children && library.toValueSync(node.children(false, true))
    if (Array.isArray(children)) yield* outputsOf(children, library)
    if (node instanceof library.Output) yield node
  }
}
