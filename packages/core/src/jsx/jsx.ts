import type { Card } from '../workflow/cards/card.ts'
import { type CardNode, flatten } from './children.ts'

/** A component: it takes its attributes and children, and returns a part of a card, or several. */
export type CardComponent = (props: never) => CardNode

/** The types by which TypeScript checks the tags of a card. */
export declare namespace JSX {
  /** What a tag is as a value: TypeScript has one type for all of them, and that of the outermost is what is used. */
  type Element = Card
  /** What may be a tag. */
  type ElementType = CardComponent
  /** The attribute that children become. */
  interface ElementChildrenAttribute {
    /** What stands between the tags. */
    children: unknown
  }
  /** Attributes of every tag. */
  interface IntrinsicAttributes {
    /** For habits and linters of other frameworks; it is not in the card. */
    key?: string | number | undefined
  }
  /** A card has no tags in small letters. */
  type IntrinsicElements = Record<never, never>
}

/**
 * Returns what a tag stands for. The compiler writes calls of it.
 *
 * @param type - The component.
 * @param props - Its attributes, and `children`.
 * @throws TypeError - The tag is not a component, or it returned a promise.
 * @example
 * jsx(Text, { children: 'It is on its way.' }) // { type: 'text', content: 'It is on its way.' }
 */
export function jsx(type: unknown, props: object): Card {
  if (typeof type !== 'function')
    throw new TypeError(
      `<${String(type)}> is not a component. Cards use the components of @trestle/core/cards, such as <Card> and <Text>` +
        `${type === undefined ? '; check that it is exported by the module it is imported from.' : '.'}`,
    )
  const made: unknown = Reflect.apply(type, undefined, [props])
  if (typeof made === 'object' && made !== null && typeof Reflect.get(made, 'then') === 'function')
    throw new TypeError(`<${type.name}> returned a promise. Await its data before rendering the card.`)
  return made as Card
}

/**
 * Returns what a tag stands for, where it has a key beside attributes that are spread: compilers write that differently.
 *
 * @param type - The component.
 * @param attributes - Its attributes, with the key; `null` where there are none.
 * @param children - What stands between the tags.
 * @throws TypeError - As `jsx` does.
 * @example
 * createElement(Text, { key: 1 }, 'It is on its way.') // { type: 'text', content: 'It is on its way.' }
 */
export function createElement(type: unknown, attributes: object | null, ...children: readonly CardNode[]): Card {
  const { key: _, ...props } = { key: undefined, ...attributes }
  return jsx(type, children.length > 0 ? { ...props, children } : props)
}

/**
 * Returns the children of `<>` and `</>`, which stand where the tag does.
 *
 * @param props - The children.
 * @example
 * const lines = <><Text>One</Text><Text>Two</Text></>
 */
export function Fragment({ children }: { readonly children?: CardNode | undefined }): readonly CardNode[] {
  return flatten(children) as readonly CardNode[]
}
