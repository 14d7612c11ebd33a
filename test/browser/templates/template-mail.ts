/** An email rendered from a template of a public package. */
export interface TemplateMail {
  /** The package and the template. */
  readonly name: string
  readonly html: string
}
