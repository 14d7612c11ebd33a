/** A mail as the template of a public package makes it. */
export interface TemplateMail {
  /** The package and the template. */
  readonly name: string
  readonly html: string
}
