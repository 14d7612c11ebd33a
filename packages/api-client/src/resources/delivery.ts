import type { ChannelType } from './channel.ts'
import type { JsonObject } from './json-object.ts'
import type { Subscriber } from './subscriber.ts'

/** A configured delivery provider. */
export interface Integration {
  /** The service's id. */
  readonly _id?: string
  /** The environment. */
  readonly _environmentId: string
  /** The organization. */
  readonly _organizationId: string
  /** Name for people. */
  readonly name: string
  /** Its own identifier. */
  readonly identifier: string
  /** The provider. */
  readonly providerId: string
  /** The channel. */
  readonly channel?: ChannelType
  /** Whether it delivers messages or serves an agent. */
  readonly kind?: 'delivery' | 'agent'
  /** The credentials; their fields depend on the provider, and reading shows none of them. */
  readonly credentials?: JsonObject
  /** Settings; their fields depend on the provider. */
  readonly configurations?: JsonObject
  /** Whether it is used. */
  readonly active: boolean
  /** Whether it is the first choice of its channel. */
  readonly primary: boolean
  /** The conditions it is used under; their fields are not specified. */
  readonly conditions?: readonly JsonObject[]
  /** Whether it has been deleted. */
  readonly deleted: boolean
  /** When it was deleted. */
  readonly deletedAt?: string
  /** Who deleted it. */
  readonly deletedBy?: string
}

/** The fields of an integration that a caller may set. */
export interface IntegrationFields {
  /** Name for people. */
  readonly name?: string | undefined
  /** Its own identifier. */
  readonly identifier?: string | undefined
  /** The environment. */
  readonly _environmentId?: string | undefined
  /** Whether it delivers messages or serves an agent. */
  readonly kind?: 'delivery' | 'agent' | undefined
  /** The credentials; their fields depend on the provider. */
  readonly credentials?: object | undefined
  /** Settings; their fields depend on the provider. */
  readonly configurations?: object | undefined
  /** Whether it is used. */
  readonly active?: boolean | undefined
  /** Whether the credentials are tried at once. */
  readonly check?: boolean | undefined
  /** The conditions it is used under; their fields are not specified. */
  readonly conditions?: readonly object[] | undefined
}

/** A new integration. */
export interface NewIntegration extends IntegrationFields {
  /** The provider. */
  readonly providerId: string
  /** The channel. */
  readonly channel: ChannelType
}

/** A wrapper of email content. */
export interface Layout {
  /** The service's id. */
  readonly _id: string
  /** The identifier. */
  readonly layoutId: string
  /** Identifier for addresses. */
  readonly slug: string
  /** Name for people. */
  readonly name: string
  /** Whether emails use it that name no other. */
  readonly isDefault: boolean
  /** Whether its texts are translated. */
  readonly isTranslationEnabled: boolean
  /** Where it is kept. */
  readonly origin: string
  /** The kind. */
  readonly type: 'REGULAR' | 'ECHO' | 'BRIDGE'
  /** The content. */
  readonly controls: {
    readonly values: { readonly email?: { readonly body: string; readonly editorType: 'html' | 'block' } }
    readonly dataSchema?: JsonObject
    readonly uiSchema?: JsonObject
  }
  /** The JSON schema of the variables that may be used. */
  readonly variables?: JsonObject
  /** When it was created. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
}

/** A list of layouts. */
export interface LayoutList {
  /** The layouts. */
  readonly layouts: readonly Layout[]
  /** Number of layouts that match. */
  readonly totalCount: number
}

/** A new layout. */
export interface NewLayout {
  /** The identifier. */
  readonly layoutId: string
  /** Name for people. */
  readonly name: string
  /** Whether its texts are translated. */
  readonly isTranslationEnabled?: boolean | undefined
  /** Where it comes from, for statistics. */
  readonly __source?: string | undefined
}

/** The new version of a layout. */
export interface LayoutUpdate {
  /** Name for people. */
  readonly name: string
  /** Whether its texts are translated. */
  readonly isTranslationEnabled?: boolean | undefined
  /** The content. */
  readonly controlValues?: { readonly email?: { readonly body: string; readonly editorType: 'html' | 'block' } } | null
}

/** The data a layout is previewed with. */
export interface LayoutPreviewBody {
  /** The content instead of the stored one. */
  readonly controlValues?: object | undefined
  /** The recipient. */
  readonly previewPayload?: { readonly subscriber?: Partial<Subscriber> | undefined } | undefined
}

/** The workflows that use something. */
export interface Usage {
  /** The workflows. */
  readonly workflows: readonly { readonly name: string; readonly workflowId: string }[]
}

/** A layout as the first version of the API returns it. */
export interface LayoutV1 {
  /** The service's id. */
  readonly _id?: string
  /** The organization. */
  readonly _organizationId: string
  /** The environment. */
  readonly _environmentId: string
  /** Who created it. */
  readonly _creatorId: string
  /** The layout it was copied from. */
  readonly _parentId?: string
  /** Name for people. */
  readonly name: string
  /** Its own identifier. */
  readonly identifier: string
  /** The purpose, in words. */
  readonly description?: string
  /** The channel. */
  readonly channel: ChannelType
  /** The content. */
  readonly content: string
  /** The kind of content. */
  readonly contentType: string
  /** The variables of the content; their fields are not specified. */
  readonly variables?: readonly JsonObject[]
  /** Whether emails use it that name no other. */
  readonly isDefault: boolean
  /** Whether it has been deleted. */
  readonly isDeleted: boolean
  /** When it was created. */
  readonly createdAt?: string
  /** When it was last changed. */
  readonly updatedAt?: string
}

/** A new layout of the first version. */
export interface NewLayoutV1 {
  /** Name for people. */
  readonly name: string
  /** Its own identifier. */
  readonly identifier: string
  /** The content; it must hold the placeholder `{{{body}}}`. */
  readonly content: string
  /** The purpose, in words. */
  readonly description?: string | undefined
  /** The variables of the content; their fields are not specified. */
  readonly variables?: readonly object[] | undefined
  /** Whether emails use it that name no other. */
  readonly isDefault?: boolean | undefined
}
