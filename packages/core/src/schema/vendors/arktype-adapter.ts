import { patternOf } from './pattern-of.ts'
import { showOrName, target, type VendorAdapter } from './vendor-adapters.ts'

type Data = Readonly<Record<string, unknown>>
type Call = (...given: unknown[]) => unknown

// What ArkType cannot show but whose input it can.
const shownByBase = new Set(['morph', 'predicate', 'patternIntersection', 'defaultValue'])
// Said by every version that knows options, whatever the app has configured.
const dialect = 'https://json-schema.org/draft/2020-12/schema'

interface ArktypeNode {
  readonly toJsonSchema: Call
  readonly isCyclic?: boolean
  readonly references?: readonly { readonly kind?: unknown; readonly undeclared?: unknown; readonly flags?: unknown }[]
  readonly transform?: (map: (kind: string, inner: Data) => Data) => ArktypeNode
}

/**
 * ArkType shows an object that drops further keys like one that refuses them, though sent in they are welcome, and patterns
 * without their flags.
 */
function toShowable(part: unknown): ArktypeNode {
  const node = part as ArktypeNode
  const isShown = node.references?.every(({ undeclared, flags }) => undeclared !== 'delete' && !flags)
  // What refers to itself would be changed at its first level only.
  if (isShown !== false || node.isCyclic || typeof node.transform !== 'function') return node
  return node.transform((_kind, inner) => {
    const { undeclared, flags, ...others } = inner
    if (undeclared === 'delete') return others
    const pattern = flags ? patternOf(new RegExp(String(inner['rule']), String(flags))) : undefined
    return pattern === undefined ? inner : { ...others, rule: pattern }
  })
}

function holdsDefault({ references }: ArktypeNode): boolean {
  return references?.some((inner) => inner.kind === 'optional' && 'default' in inner) === true
}

/** ArkType. Its Standard JSON Schema shows a date as "anything", and leaves defaults out. */
export const arktypeAdapter: VendorAdapter = {
  show(schema) {
    const fallback = ({ code, base }: { code: string; base: unknown }): unknown => {
      if (shownByBase.has(code)) return base
      throw new Error(`it holds a ${code}`)
    }
    const show = (part: unknown): unknown => {
      const shown = toShowable(part).toJsonSchema({ target, dialect, fallback }) as object
      // Before 2.1.19 it named no dialect and left defaults out, so that no template in one was rendered.
      if (!('$schema' in shown) && holdsDefault(part as ArktypeNode))
        throw new Error('this version leaves its default out; ArkType 2.1.19 or newer shows it')
      return shown
    }
    const fields = (part: unknown): [string, unknown][] => {
      const { props } = part as { props?: readonly { key: unknown; value: unknown }[] }
      return Array.isArray(props) ? props.map(({ key, value }) => [String(key), value]) : []
    }
    return showOrName(schema, show, fields)
  },
}
