import { patternOf } from './pattern-of.ts'
import { showOrName, target, type VendorAdapter } from './vendor-adapters.ts'

type Data = Readonly<Record<string, unknown>>
type Call = (...given: unknown[]) => unknown

// Nodes that ArkType can only convert as their input type.
const shownByBase = new Set(['morph', 'predicate', 'patternIntersection', 'defaultValue'])
interface ArktypeNode {
  readonly toJsonSchema: Call
  readonly isCyclic?: boolean
  readonly references?: readonly { readonly kind?: unknown; readonly undeclared?: unknown; readonly flags?: unknown }[]
  readonly transform?: (map: (kind: string, inner: Data) => Data) => ArktypeNode
}

/**
 * Makes a schema convertible without losses: ArkType would convert an object that drops unknown keys to one that
 * rejects them, and would omit the flags of patterns.
 */
function toShowable(part: unknown): ArktypeNode {
  const node = part as ArktypeNode
  const isShown = node.references?.every(({ undeclared, flags }) => undeclared !== 'delete' && !flags)
  // Only the first level of a recursive node would be changed.
  if (isShown !== false || node.isCyclic || typeof node.transform !== 'function') return node
  return node.transform((_kind, inner) => {
    const { undeclared, flags, ...others } = inner
    if (undeclared === 'delete') return others
    const pattern = flags ? patternOf(new RegExp(String(inner['rule']), String(flags))) : undefined
    return pattern === undefined ? inner : { ...others, rule: pattern }
  })
}

/** ArkType. Its Standard JSON Schema represents a date as "anything", and omits defaults. */
export const arktypeAdapter: VendorAdapter = {
  show(schema) {
    const fallback = ({ code, base }: { code: string; base: unknown }): unknown => {
      if (shownByBase.has(code)) return base
      throw new Error(`it has a ${code}`)
    }
    const show = (part: unknown): unknown => {
      const jsonSchema = toShowable(part).toJsonSchema({ target, fallback })
      const { references } = part as ArktypeNode
      const hasDefault = references?.some((inner) => inner.kind === 'optional' && 'default' in inner)
      // Templates in unpublished defaults would not be rendered.
      if (hasDefault && !JSON.stringify(jsonSchema).includes('"default":'))
        throw new Error('its default needs ArkType 2.1.19 or newer')
      return jsonSchema
    }
    const fields = (part: unknown): [string, unknown][] => {
      const { props } = part as { props?: readonly { key: unknown; value: unknown }[] }
      return Array.isArray(props) ? props.map(({ key, value }) => [String(key), value]) : []
    }
    return showOrName(schema, show, fields)
  },
}
