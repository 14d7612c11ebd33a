/** A place where a schema may refuse what its earlier form accepted. */
export interface Narrowing {
  /** `notice` where only values that nobody was asked to send are refused. */
  readonly kind: 'breaking' | 'notice'
  /** The place in the value, a JSON pointer; `*` stands for any item or field. */
  readonly path: string
  readonly message: string
}
