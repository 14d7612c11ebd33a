import { schemaMapKeywords, toPointer } from '@trestle/protocol'
import { toThrown } from '../base/thrown.ts'
import { isTemplate } from './plain/is-template.ts'

const maxFaults = 10

/** Keywords whose values are data, not schemas with defaults. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'examples'])

/**
 * Finds control defaults that are not valid templates, before a step uses them.
 *
 * @returns At most ten messages, each with the path in the schema, the line and the column.
 */
export async function findTemplateFaults(schema: unknown): Promise<readonly string[]> {
  const all = [...templatesOf(schema, [], 'schema')]
  if (all.length === 0) return []
  const { compilePlain } = await import('./plain/compile-plain.ts')
  const texts = all.filter(({ text }) => !compilePlain(text))
  if (texts.length === 0) return []
  const [{ parseTemplate }, { templateEngine }] = await Promise.all([
    import('./templates/template.ts'),
    import('./templates/template-engine.ts'),
  ])
  const engine = await templateEngine()
  return texts
    .flatMap(({ text, path }) => {
      try {
        parseTemplate(text, path, engine)
        return []
      } catch (error) {
        return [toThrown(error).message]
      }
    })
    .slice(0, maxFaults)
}

type Kind = 'schema' | 'schemas' | 'default'

function* templatesOf(
  node: unknown,
  path: readonly string[],
  kind: Kind,
): Generator<{ readonly text: string; readonly path: string }> {
  if (typeof node === 'string' && kind === 'default' && isTemplate(node)) yield { text: node, path: toPointer(path) }
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    const inner = toKind(kind, key)
    if (inner) yield* templatesOf(value, [...path, key], inner)
  }
}

/** Keys in a map of schemas are names chosen by the user, which can include `default`. */
function toKind(kind: Kind, key: string): Kind | undefined {
  if (kind === 'default') return 'default'
  if (kind === 'schemas') return 'schema'
  if (key === 'default') return 'default'
  if (dataKeywords.has(key)) return undefined
  return schemaMapKeywords.has(key) ? 'schemas' : 'schema'
}
