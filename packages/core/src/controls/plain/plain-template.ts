/** A variable and the fields that are read of it, such as `payload.customer.name`. */
export interface PlainPath {
  /** The variable's name; of a loop's variable, which loop it is, from 0 outside in. */
  readonly root: string | number
  readonly keys: readonly string[]
}

/** Changes a value before it is written. */
export type PlainFilter = (value: unknown) => unknown

/** `{{ path | filter }}`. */
export interface PlainOutput {
  readonly kind: 'output'
  readonly path: PlainPath
  readonly filters: readonly PlainFilter[]
}

/** `{% for item in path %}`. */
export interface PlainLoop {
  readonly kind: 'loop'
  readonly path: PlainPath
  readonly body: PlainNode[]
}

/** `{% if path %}`. */
export interface PlainTest {
  readonly kind: 'test'
  readonly path: PlainPath
  readonly body: PlainNode[]
  readonly otherwise: PlainNode[]
}

/** A part of a template; a text stands for itself. */
export type PlainNode = string | PlainOutput | PlainLoop | PlainTest

/** A template that only reads variables, loops over lists and asks whether something is there. */
export interface PlainTemplate {
  readonly nodes: readonly PlainNode[]
  /** The one expression the template consists of, if it is nothing else. */
  readonly lone: PlainOutput | undefined
}

/** Thrown where a template, or the data it meets, is not plain: the engine then renders it, and names its faults. */
export const notPlain: unique symbol = Symbol('not plain')
