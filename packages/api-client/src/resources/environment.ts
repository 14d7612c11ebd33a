import type { JsonObject } from './json-object.ts'

/** A feed of in-app messages. */
export interface Feed {
  /** The service's id. */
  readonly _id?: string
  /** Name for people. */
  readonly name: string
  /** The identifier. */
  readonly identifier: string
  /** The environment. */
  readonly _environmentId: string
  /** The organization. */
  readonly _organizationId: string
}

/** The value of a variable in one environment. */
export interface VariableValue {
  /** The environment. */
  readonly _environmentId: string
  /** The value, at most 256 characters; masked when it is secret and read. */
  readonly value: string
}

/** A variable whose value differs by environment. */
export interface EnvironmentVariable {
  /** The service's id. */
  readonly _id: string
  /** The organization. */
  readonly _organizationId: string
  /** The key. */
  readonly key: string
  /** The kind of value. */
  readonly type: string
  /** Whether the value is masked when it is read. */
  readonly isSecret: boolean
  /** One value per environment. */
  readonly values: readonly VariableValue[]
  /** When it was created. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
}

/** A change of a variable; values are merged by environment. */
export interface VariableUpdate {
  /** The key. */
  readonly key?: string | undefined
  /** The kind of value. */
  readonly type?: string | undefined
  /** Whether the value is masked when it is read. */
  readonly isSecret?: boolean | undefined
  /** One value per environment. */
  readonly values?: readonly VariableValue[] | undefined
}

/** A new variable. */
export interface NewVariable extends VariableUpdate {
  /** The key: a letter, then letters, digits and underscores; at most 256 characters. */
  readonly key: string
}

/** A secret key of an environment. */
export interface ApiKey {
  /** The key. */
  readonly key: string
  /** Who created it. */
  readonly _userId: string
  /** Its hash. */
  readonly hash?: string
}

/** An environment of the organization. */
export interface Environment {
  /** The service's id. */
  readonly _id: string
  /** Name for people. */
  readonly name: string
  /** The organization. */
  readonly _organizationId: string
  /** The application identifier, which is public. */
  readonly identifier: string
  /** The environment changes are promoted from. */
  readonly _parentId?: string | null
  /** The secret keys, where the caller may see them. */
  readonly apiKeys?: readonly ApiKey[]
  /** The kind of environment, such as `dev` or `prod`. */
  readonly type?: string
  /** Identifier for addresses. */
  readonly slug?: string
  /** Color for people. */
  readonly color?: string
}

/** A new environment. */
export interface NewEnvironment {
  /** Name for people. */
  readonly name: string
  /** Color for people, such as `#ff0000`. */
  readonly color: string
  /** The environment changes are promoted from. */
  readonly parentId?: string | undefined
}

/** A change of an environment. */
export interface EnvironmentUpdate {
  /** Name for people. */
  readonly name?: string | undefined
  /** The application identifier. */
  readonly identifier?: string | undefined
  /** The environment changes are promoted from. */
  readonly parentId?: string | undefined
  /** Color for people. */
  readonly color?: string | undefined
  /** The address of the bridge. */
  readonly bridge?: { readonly url?: string | undefined } | undefined
}

/** The ready-made workflows by category; the fields of a blueprint are not specified. */
export interface BlueprintGroups {
  /** The general ones. */
  readonly general: readonly JsonObject[]
  /** The popular ones. */
  readonly popular: JsonObject
}

/** A tenant of the customer. */
export interface Tenant {
  /** The service's id. */
  readonly _id: string
  /** The identifier. */
  readonly identifier: string
  /** Name for people. */
  readonly name?: string
  /** Free fields. */
  readonly data?: JsonObject
  /** The environment. */
  readonly _environmentId: string
  /** When it was created. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
}

/** A change of a tenant. */
export interface TenantUpdate {
  /** The identifier. */
  readonly identifier?: string | undefined
  /** Name for people. */
  readonly name?: string | undefined
  /** Free fields. */
  readonly data?: object | undefined
}

/** A new tenant. */
export interface NewTenant extends TenantUpdate {
  /** The identifier. */
  readonly identifier: string
}
