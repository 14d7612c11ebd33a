/** Text of a card. */
export interface CardText {
  /** The kind of part. */
  readonly type: 'text'
  /** The text; simple Markdown where the channel knows it. */
  readonly content: string
  /** How it looks. @default 'plain' */
  readonly style?: 'plain' | 'bold' | 'muted' | undefined
}

/** A picture in a card. */
export interface CardImage {
  /** The kind of part. */
  readonly type: 'image'
  /** Its URL. */
  readonly url: string
  /** Alternative text. */
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
  /** Its text. */
  readonly label: string
  /** Where it leads. */
  readonly url: string
}

/** A button that opens a page. */
export interface CardLinkButton {
  /** The kind of part. */
  readonly type: 'link-button'
  /** Its text. */
  readonly label: string
  /** Where it leads. */
  readonly url: string
  /** How it looks. @default 'default' */
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
  /** Its text. */
  readonly label: string
  /** How it looks. @default 'default' */
  readonly style?: 'primary' | 'danger' | 'default' | undefined
  /** Whether a click acts or opens a dialog. @default 'action' */
  readonly actionType?: 'action' | 'modal' | undefined
  /** Where the click is reported. */
  readonly callbackUrl?: string | undefined
  /** Reported with the click. */
  readonly value?: string | undefined
  /** Whether it can be clicked. @default false */
  readonly disabled?: boolean | undefined
}

/** A choice in a card. */
export interface CardOption {
  /** Its text. */
  readonly label: string
  /** Reported when it is chosen. */
  readonly value: string
  /** A line under the text. */
  readonly description?: string | undefined
}

/** A list, or a group of radio buttons, to choose from. */
export interface CardSelect {
  /** The kind of part. */
  readonly type: 'select' | 'radio_select'
  /** Its id, reported with the choice. */
  readonly id: string
  /** Its text. */
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
  /** Discriminator. */
  readonly label: string
  /** The value. */
  readonly value: string
}

/** Labels with their values, side by side. */
export interface CardFields {
  /** The kind of part. */
  readonly type: 'fields'
  /** The labels. */
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
  /** The parts. */
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
  /** The title. */
  readonly title?: string | undefined
  /** The line under the title. */
  readonly subtitle?: string | undefined
  /** URL of a picture. */
  readonly imageUrl?: string | undefined
  /** The card's parts, from top to bottom. */
  readonly children: readonly CardChild[]
}
