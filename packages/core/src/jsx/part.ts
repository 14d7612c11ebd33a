import type { CardNode } from './children.ts'

/** A part's optional fields may also be `undefined`, so that an attribute can be left out by a condition. */
type Loose<TPart> = {
  readonly [TKey in keyof TPart]: Record<never, never> extends Pick<TPart, TKey> ? TPart[TKey] | undefined : TPart[TKey]
}

/** The attributes of a tag: the fields of its part, but those that its children become. */
export type Attributes<TPart, TLess extends keyof TPart = never> = Loose<Omit<TPart, TLess | 'type'>>

/** What stands between the tags. */
export interface Children {
  /** Parts, texts and numbers, lists of them; `null`, `undefined` and booleans stand for nothing. */
  readonly children?: CardNode | undefined
}

/**
 * Returns a part with its fields, but those that are `undefined`.
 *
 * @param fields - The fields, `type` among them.
 */
export function part<TPart>(fields: object): TPart {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as TPart
}
