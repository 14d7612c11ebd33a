/** A path at which a schema may reject what its earlier form accepted. */
export interface Narrowing {
  /** `notice` if all rejected values are ones that no caller was required to send. */
  readonly kind: 'breaking' | 'notice'
  /** The path in the value, a JSON pointer; `*` stands for any item or field. */
  readonly path: string
  readonly message: string
}
