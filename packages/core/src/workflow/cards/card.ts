/** A text in a card. */
export interface CardText {
  /** The kind of part. */
  readonly type: 'text'
  /** The text; can contain simple Markdown if the channel supports it. */
  readonly content: string
  /** The text style. @default 'plain' */
  readonly style?: 'plain' | 'bold' | 'muted' | undefined
}

/** An image in a card. */
export interface CardImage {
  /** The kind of part. */
  readonly type: 'image'
  readonly url: string
  readonly alt?: string | undefined
}

/** A line between parts of a card. */
export interface CardDivider {
  /** The kind of part. */
  readonly type: 'divider'
}

/** A link in a card. */
export interface CardLink {
  /** The kind of part. */
  readonly type: 'link'
  readonly label: string
  /** The target URL. */
  readonly url: string
}

/** A button that opens a page. */
export interface CardLinkButton {
  /** The kind of part. */
  readonly type: 'link-button'
  readonly label: string
  /** The target URL. */
  readonly url: string
  /** The button style. @default 'default' */
  readonly style?: 'primary' | 'danger' | 'default' | undefined
  /** Its id, unique in the card. */
  readonly id?: string | undefined
}

/** A button whose clicks are reported. */
export interface CardButton {
  /** The kind of part. */
  readonly type: 'button'
  /** Its id, reported with each click. */
  readonly id: string
  readonly label: string
  /** The button style. @default 'default' */
  readonly style?: 'primary' | 'danger' | 'default' | undefined
  /** Whether a click triggers an action or opens a dialog. @default 'action' */
  readonly actionType?: 'action' | 'modal' | undefined
  /** The URL to which clicks are reported. */
  readonly callbackUrl?: string | undefined
  /** The value reported with each click. */
  readonly value?: string | undefined
  /** Whether the button is disabled. @default false */
  readonly disabled?: boolean | undefined
}

/** An option of a list in a card. */
export interface CardOption {
  readonly label: string
  /** The value reported when the option is chosen. */
  readonly value: string
  /** The text below the label. */
  readonly description?: string | undefined
}

/** A list, or a group of radio buttons, to choose from. */
export interface CardSelect {
  /** The kind of part. */
  readonly type: 'select' | 'radio_select'
  /** Its id, reported with the choice. */
  readonly id: string
  readonly label: string
  /** The options, at least one. */
  readonly options: readonly CardOption[]
  /** The value that is selected initially. */
  readonly initialOption?: string | undefined
  /** Whether the recipient may leave it empty. @default false */
  readonly optional?: boolean | undefined
  /** The text displayed while no option is chosen. */
  readonly placeholder?: string | undefined
}

/** Actions for the recipient, in a row. */
export interface CardActions {
  /** The kind of part. */
  readonly type: 'actions'
  /** Buttons and lists, from left to right. */
  readonly children: readonly (CardLinkButton | CardButton | CardSelect)[]
}

/** A label with its value. */
export interface CardField {
  /** The kind of part. */
  readonly type: 'field'
  readonly label: string
  readonly value: string
}

/** Labels with their values, side by side. */
export interface CardFields {
  /** The kind of part. */
  readonly type: 'fields'
  readonly children: readonly CardField[]
}

/** A table in a card. */
export interface CardTable {
  /** The kind of part. */
  readonly type: 'table'
  /** The column headings. */
  readonly headers: readonly string[]
  /** The cells, row by row. */
  readonly rows: readonly (readonly string[])[]
  /** The alignment of each column. */
  readonly align?: readonly ('left' | 'center' | 'right')[] | undefined
}

/** Related parts of a card. They can include sections, which contain no other sections. */
export interface CardSection {
  /** The kind of part. */
  readonly type: 'section'
  readonly children: readonly CardChild[]
}

/** A part of a card. */
export type CardChild =
  | CardText
  | CardImage
  | CardDivider
  | CardLink
  | CardActions
  | CardFields
  | CardTable
  | CardSection

/** A card of a chat message, as plain data. */
export interface Card {
  /** Marks the object as a card. */
  readonly type: 'card'
  readonly title?: string | undefined
  /** The line under the title. */
  readonly subtitle?: string | undefined
  /** URL of an image. */
  readonly imageUrl?: string | undefined
  /** The card's parts, from top to bottom. */
  readonly children: readonly CardChild[]
}
