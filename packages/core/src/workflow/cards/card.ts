/** Text of a card. */
export interface CardText {
  /** The kind of part. */
  readonly type: 'text'
  /** The text; simple Markdown if the channel supports it. */
  readonly content: string
  /** The text style. @default 'plain' */
  readonly style?: 'plain' | 'bold' | 'muted' | undefined
}

/** A picture in a card. */
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
  /** Its id in the card. */
  readonly id?: string | undefined
}

/** A button whose click is reported back. */
export interface CardButton {
  /** The kind of part. */
  readonly type: 'button'
  /** Its id, reported with the click. */
  readonly id: string
  readonly label: string
  /** The button style. @default 'default' */
  readonly style?: 'primary' | 'danger' | 'default' | undefined
  /** Whether a click acts or opens a dialog. @default 'action' */
  readonly actionType?: 'action' | 'modal' | undefined
  /** The URL that clicks are reported to. */
  readonly callbackUrl?: string | undefined
  /** Reported with the click. */
  readonly value?: string | undefined
  /** Whether it can be clicked. @default false */
  readonly disabled?: boolean | undefined
}

/** A choice in a card. */
export interface CardOption {
  readonly label: string
  /** Reported when it is chosen. */
  readonly value: string
  /** A line below the label. */
  readonly description?: string | undefined
}

/** A list, or a group of radio buttons, to choose from. */
export interface CardSelect {
  /** The kind of part. */
  readonly type: 'select' | 'radio_select'
  /** Its id, reported with the choice. */
  readonly id: string
  readonly label: string
  /** The choices, at least one. */
  readonly options: readonly CardOption[]
  /** The value chosen at first. */
  readonly initialOption?: string | undefined
  /** Whether nothing may be chosen. @default false */
  readonly optional?: boolean | undefined
  /** Shown while nothing is chosen. */
  readonly placeholder?: string | undefined
}

/** Actions a recipient can take, in a row. */
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
  /** The names of the columns. */
  readonly headers: readonly string[]
  /** The cells, row by row. */
  readonly rows: readonly (readonly string[])[]
  /** The alignment of each column. */
  readonly align?: readonly ('left' | 'center' | 'right')[] | undefined
}

/** Parts of a card that belong together. */
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
  /** URL of a picture. */
  readonly imageUrl?: string | undefined
  /** The card's parts, from top to bottom. */
  readonly children: readonly CardChild[]
}
