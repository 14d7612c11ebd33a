import { propertiesOf, unwrap } from '../syntax/names.ts'
import { isNode, type Node, nameOf, remark, type Source } from '../syntax/source.ts'
import { innerFields, meant } from '../tables/fields.ts'

/** What an object may have, and how it is called where it has something else. */
export interface Known {
  /** The names; `undefined` where any will do. */
  readonly known: readonly string[] | undefined
  /** What has no other, as a remark says it: `a workflow has no option`. */
  readonly what: string
  /** What else may have been meant. */
  readonly more?: string
}

/**
 * Remarks on the names of an object that nobody knows, also in the objects in it; a name that stands for the object is
 * followed.
 *
 * @param source - The file.
 * @param node - The object.
 * @param names - What it may have.
 */
export function checkKeys(source: Source, node: Node | undefined, names: Known): void {
  if (!node || !names.known) return
  for (const property of propertiesOf(source, node, () => undefined)) checkKey(source, property, names)
}

/**
 * Remarks on the name of a property that nobody knows.
 *
 * @param source - The file.
 * @param property - The property.
 * @param names - What its object may have.
 */
export function checkKey(source: Source, property: Node, { known = [], what, more = '' }: Known): void {
  const key = property['computed'] ? undefined : nameOf(property['key'])
  if (key === undefined) return
  if (known.includes(key)) checkInner(source, property, key)
  else remark(source, property, `"${key}": ${what} with that name.${toMeant(key, known) || more}`)
}

function checkInner(source: Source, property: Node, key: string): void {
  const { value } = property
  const known = Object.hasOwn(innerFields, key) ? innerFields[key] : undefined
  if (!isNode(value) || !known) return
  const more = known.includes('redirect') ? ' The target URL of a button is in its redirect: { url }.' : ''
  checkKeys(source, unwrap(value), { known, what: `${key} has no field`, more })
}

function toMeant(key: string, known: readonly string[]): string {
  const name = Object.hasOwn(meant, key) ? meant[key] : undefined
  return name !== undefined && known.includes(name) ? ` Use ${name}.` : ''
}
