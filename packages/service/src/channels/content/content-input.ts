import type { JsonObject, MessageType } from '@trestle/protocol'

/** Everything that determines the content of a message. JSON data. */
export interface ContentInput {
  readonly type: MessageType
  /** The outputs of the step; double braces in data are escaped. */
  readonly outputs: JsonObject
  /** The provider-specific outputs of the step; double braces in data are escaped. */
  readonly providers: JsonObject
  /** The variables of the layout and of all translations. */
  readonly variables: JsonObject
  /** The translations of the workflow as JSON, those of the best locale first. */
  readonly texts: readonly string[]
  /** The layout of an email. */
  readonly layout?: Layout
}

/** A layout, ready to be rendered around an email. */
export interface Layout {
  /** The identifier, chosen by the caller. */
  readonly identifier: string
  /** HTML with a placeholder for the body. */
  readonly content: string
  /** Default values of the layout's own variables. */
  readonly defaults: JsonObject
  /** The translations of the layout as JSON, those of the best locale first. */
  readonly texts: readonly string[]
}
