import { isObject } from '@trestle/protocol'
import type { Context } from 'liquidjs'

type Library = typeof import('liquidjs')

/** The part of a context that resolves variables and properties. */
interface Scope {
  findScope(name: string): object | undefined
  readProperty(object: unknown, key: unknown): unknown
}

// All documented properties of `forloop` and `tablerowloop`; the engine's other objects have none.
const loopFields: ReadonlySet<unknown> = new Set([
  ...['index', 'index0', 'rindex', 'rindex0', 'first', 'last', 'length', 'name'],
  ...['col', 'col0', 'col_first', 'col_last', 'row'],
])

/** Tags that define variables. */
const named = /\b(?:assign|capture|increment|decrement|for|tablerow)\s+['"]?([^\s'"=%}:|,.[\]]+)/g

/**
 * Restricts a context: a template reads own properties of its variables and documented loop fields. An unknown root
 * variable is an error instead of empty text.
 *
 * @param template - The template's text, and the callback for unknown variables.
 */
export function closeScope(
  context: Context,
  library: Library,
  { text, onUnknown }: { readonly text: string; readonly onUnknown?: ((name: string) => void) | undefined },
): void {
  const scope = context as unknown as Scope
  const { findScope, readProperty } = scope
  let own: ReadonlySet<string> | undefined
  scope.readProperty = (object, key) =>
    object instanceof library.Drop && !loopFields.has(key) ? undefined : readProperty.call(context, object, key)
  scope.findScope = (name) => {
    const variableScope = findScope.call(context, name)
    if (variableScope !== context.globals) return variableScope
    own ??= findOwnVariables(text)
    if (own.has(name)) return variableScope
    if (onUnknown) {
      onUnknown(name)
      return variableScope
    }
    throw new Error(`unknown variable "${name}"; templates have ${toRoots(name, context.environments)}`)
  }
}

/** Returns the available variables, and which of them has a field with the given name. */
function toRoots(name: string, seen: Readonly<Record<string, unknown>>): string {
  const roots = Object.keys(seen)
  const root = roots.find((key) => isObject(seen[key]) && Object.hasOwn(seen[key], name))
  return `${roots.join(', ')}${root ? `. Did you mean ${root}.${name}?` : ''}`
}

/**
 * Returns the variables that a template can assign: a variable assigned in a branch that does not run is empty, not
 * unknown.
 */
function findOwnVariables(text: string): ReadonlySet<string> {
  // Text outside tags may also contain "for order".
  const [, ...tags] = text.split('{%').map((part) => part.split('%}', 1)[0] ?? '')
  const own = tags.flatMap((tag) => Array.from(tag.matchAll(named), ([, name = '']) => name))
  return new Set(['forloop', 'tablerowloop', ...own])
}
