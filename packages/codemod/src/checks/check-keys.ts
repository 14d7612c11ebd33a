import { propertiesOf, unwrap } from '../syntax/names.ts'
import { isNode, type Node, nameOf, remark, type Source } from '../syntax/source.ts'
import { innerFields, meant } from '../tables/fields.ts'

/** The allowed names of an object, and how a remark describes an unknown one. */
export interface Known {
  /** The names; `undefined` if any name is allowed. */
  readonly allowedNames: readonly string[] | undefined
  /** The start of the remark, such as `a workflow has no option`. */
  readonly what: string
  /** An additional suggestion for an unknown name. */
  readonly more?: string
}

/** Adds remarks on unknown property names of an object and of the objects in it. Follows a variable to its object. */
export function checkKeys(source: Source, node: Node | undefined, names: Known): void {
  if (!node || !names.allowedNames) return
  for (const property of propertiesOf(source, node, () => undefined)) checkKey(source, property, names)
}

/** Adds a remark on an unknown property name. */
export function checkKey(source: Source, property: Node, { allowedNames = [], what, more = '' }: Known): void {
  const key = property['computed'] ? undefined : nameOf(property['key'])
  if (key === undefined) return
  if (allowedNames.includes(key)) checkInner(source, property, key)
  else remark(source, property, `"${key}": ${what} with that name.${toMeant(key, allowedNames) || more}`)
}

function checkInner(source: Source, property: Node, key: string): void {
  const { value } = property
  const innerKeys = Object.hasOwn(innerFields, key) ? innerFields[key] : undefined
  if (!isNode(value) || !innerKeys) return
  const more = innerKeys.includes('redirect') ? ' The target URL of a button is in its redirect: { url }.' : ''
  checkKeys(source, unwrap(value), { allowedNames: innerKeys, what: `${key} has no field`, more })
}

function toMeant(key: string, names: readonly string[]): string {
  const name = Object.hasOwn(meant, key) ? meant[key] : undefined
  return name !== undefined && names.includes(name) ? ` Use ${name}.` : ''
}
