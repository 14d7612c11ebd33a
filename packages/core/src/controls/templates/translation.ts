import type { Template as Node, Output } from 'liquidjs'
import { createTemplateError } from '../plain/template-error.ts'
import type { TemplateEngine } from './template-engine.ts'

interface Parsed {
  readonly text: string
  readonly nodes: Node[]
  /** JSON pointer to the control, for errors. */
  readonly path: string
}

/**
 * Keeps `{{ t.key }}` in the text for the service to translate: such an output prints its source.
 *
 * @param parsed - A parsed template, whose translation outputs are modified in place.
 * @throws StepControlCompilationFailedError - A translation is used in a way that would silently print nothing.
 */
export function keepTranslations({ text, nodes, path }: Parsed, engine: TemplateEngine): ReadonlySet<Node> {
  const kept = new Set<Node>()
  if (!/\bt\s*[.[]/.test(text)) return kept
  // A `t` that the template itself binds (assign, for) is a variable like any other.
  const references = engine.liquid.analyzeSync(nodes, { partials: false }).globals['t'] ?? []
  const open = new Map(
    references
      .filter(({ segments }) => segments.length > 1)
      .map(({ location }) => [`${location.row}:${location.col}`, location]),
  )
  if (open.size === 0) return kept
  for (const output of outputsOf(nodes, engine)) {
    const { postfix } = output.value.initial
    const [token, another] = postfix
    if (!token || another) continue
    if (!open.delete(token.getPosition().join(':'))) continue
    kept.add(output)
    const source = output.token.getText()
    output.render = function* (_context, emitter): IterableIterator<unknown> {
      emitter.write(yield source)
    }
  }
  for (const { row, col } of open.values()) {
    const message = 'a translation must be written as {{ t.key }}, because its text is not available here'
    throw createTemplateError(path, message, { line: row, column: col })
  }
  return kept
}

function* outputsOf(nodes: readonly Node[], engine: TemplateEngine): Generator<Output> {
  for (const node of nodes) {
    const children: unknown = node.children && engine.library.toValueSync(node.children(false, true))
    if (Array.isArray(children)) yield* outputsOf(children, engine)
    if (node instanceof engine.library.Output) yield node
  }
}
