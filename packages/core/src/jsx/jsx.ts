import type { Card } from '../workflow/cards/card.ts'
import { type CardNode, flatten } from './children.ts'

/** A component: a function that takes attributes and children, and returns one or more parts of a card. */
export type CardComponent = (props: never) => CardNode

/** The types that TypeScript uses to check card tags. */
export declare namespace JSX {
  /** The type of a tag's value. TypeScript only supports one type for all tags, so this is the outermost one. */
  type Element = Card
  /** The allowed tags. */
  type ElementType = CardComponent
  /** The attribute that receives the children. */
  interface ElementChildrenAttribute {
    /** The children of a tag. */
    children: unknown
  }
  /** Attributes of every tag. */
  interface IntrinsicAttributes {
    /** Accepted for users and linters of other frameworks, but not included in the card. */
    key?: string | number | undefined
  }
  /** Cards have no lowercase tags. */
  type IntrinsicElements = Record<never, never>
}

/**
 * Returns the part for a tag. The compiler generates calls of this function.
 *
 * @param type - The component function.
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
  const card: unknown = Reflect.apply(type, undefined, [props])
  if (typeof card === 'object' && card !== null && typeof Reflect.get(card, 'then') === 'function')
    throw new TypeError(`<${type.name}> returned a promise. Await its data before rendering the card.`)
  return card as Card
}

/**
 * Returns the part for a tag with a key after spread attributes: compilers call this function instead of `jsx`.
 *
 * @param type - The component.
 * @param attributes - Its attributes, including the key; `null` if there are none.
 * @param children - The children of the tag.
 * @throws TypeError - As for `jsx`.
 * @example
 * createElement(Text, { key: 1 }, 'It is on its way.') // { type: 'text', content: 'It is on its way.' }
 */
export function createElement(type: unknown, attributes: object | null, ...children: readonly CardNode[]): Card {
  const { key: _, ...props } = { key: undefined, ...attributes }
  return jsx(type, children.length > 0 ? { ...props, children } : props)
}

/**
 * Returns the children of `<>` and `</>` in place of the fragment.
 *
 * @param props - The props, with the children.
 * @example
 * const lines = <><Text>One</Text><Text>Two</Text></>
 */
export function Fragment({ children }: { readonly children?: CardNode | undefined }): readonly CardNode[] {
  return flatten(children) as readonly CardNode[]
}
