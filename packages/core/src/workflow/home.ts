import { addSchemaPackages, type SchemaPackages, schemaPackages } from '../schema/vendors/schema-packages.ts'
import { type Account, noteAccount } from '../trigger/account.ts'

/**
 * Data that only the copy of the core that created a workflow has. With Yarn's Plug'n'Play and pnpm, the package that
 * defines workflows and the app that mounts them can have separate copies. Schema converters are installed next to the
 * first copy, which also sends the triggers.
 */
interface Home {
  readonly schemaPackages: SchemaPackages
  readonly noteAccount: typeof noteAccount
}

const key = Symbol.for('@trestle/core home')
const own: Home = { schemaPackages, noteAccount }

/** Records in a workflow which copy of the core created it. */
export function withHome<T extends object>(definition: T): T {
  return Object.defineProperty(definition, key, { value: own })
}

/** Registers the account of a bridge with the copy of the core that created the workflow, and adopts its schema converters. */
export function mount(definition: { readonly options: object }, account: Account): void {
  const home = (Reflect.get(definition, key) as Home | undefined) ?? own
  addSchemaPackages(home.schemaPackages)
  home.noteAccount(definition.options, account)
}
