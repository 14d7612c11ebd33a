import { addSchemaPackages, type SchemaPackages, schemaPackages } from '../schema/vendors/schema-packages.ts'
import { type Account, noteAccount } from '../trigger/account.ts'

/**
 * What only the copy of the core knows that made a workflow. Yarn's Plug'n'Play and pnpm give the package that defines
 * workflows and the app that mounts them a copy each: what shows the schemas is installed beside the first, and the first
 * sends the triggers.
 */
interface Home {
  readonly schemaPackages: SchemaPackages
  readonly noteAccount: typeof noteAccount
}

const key = Symbol.for('@trestle/core home')
const own: Home = { schemaPackages, noteAccount }

/**
 * Says in a workflow which copy of the core has made it.
 *
 * @param made - The workflow.
 * @returns The same.
 */
export function withHome<T extends object>(made: T): T {
  return Object.defineProperty(made, key, { value: own })
}

/**
 * Tells the copy of the core that made a workflow where it is mounted, and asks it for what shows its schemas.
 *
 * @param definition - The workflow.
 * @param account - The options of the bridge.
 */
export function mount(definition: { readonly options: object }, account: Account): void {
  const home = (Reflect.get(definition, key) as Home | undefined) ?? own
  addSchemaPackages(home.schemaPackages)
  home.noteAccount(definition.options, account)
}
