/** A variable with its field path, such as `payload.customer.name`. */
export interface PlainPath {
  /** The variable's name; for a loop variable the loop depth, from 0. */
  readonly root: string | number
  readonly keys: readonly string[]
}

/** Changes a value before output. */
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

/** A part of a template; a string is literal text. */
export type PlainNode = string | PlainOutput | PlainLoop | PlainTest

/** A template that only reads variables, loops over lists and checks existence. */
export interface PlainTemplate {
  readonly nodes: readonly PlainNode[]
  /** The expression, if it is the whole template. */
  readonly lone: PlainOutput | undefined
}

/** Thrown if a template or its data is not plain, so that the engine renders it and reports errors. */
export const notPlain: unique symbol = Symbol('not plain')
