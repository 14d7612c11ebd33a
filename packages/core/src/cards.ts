export {
  Actions,
  Button,
  LinkButton,
  Option,
  type OptionPart,
  RadioSelect,
  Select,
} from './jsx/action-components.ts'
export type { CardNode } from './jsx/children.ts'
export { Card, Divider, Field, Fields, Image, Link, Section, Table, Text } from './jsx/components.ts'
export { type CardComponent, createElement } from './jsx/jsx.ts'
export type { Attributes, Children } from './jsx/part.ts'
