import type { CardNode } from './children.ts'

/** Allows `undefined` for optional fields, so that attributes can be conditional. */
type Loose<TPart> = {
  readonly [TKey in keyof TPart]: Record<never, never> extends Pick<TPart, TKey> ? TPart[TKey] | undefined : TPart[TKey]
}

/** The attributes of a tag: the fields of its part, except those set by its children. */
export type Attributes<TPart, TLess extends keyof TPart = never> = Loose<Omit<TPart, TLess | 'type'>>

/** The children of a tag. */
export interface Children {
  /** Parts, strings and numbers, or lists of them; `null`, `undefined` and booleans are ignored. */
  readonly children?: CardNode | undefined
}

/**
 * Returns a part without fields that are `undefined`.
 *
 * @param fields - The fields, including `type`.
 */
export function part<TPart>(fields: object): TPart {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as TPart
}
