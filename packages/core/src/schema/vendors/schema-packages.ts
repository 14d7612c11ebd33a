type Exports = Readonly<Record<string, unknown>>
/** Packages that convert a library's schemas to JSON Schema if the library itself does not. */
export type SchemaPackage = 'zod-to-json-schema' | '@valibot/to-json-schema'
/** Functions that load the packages. */
export type SchemaPackages = Readonly<Partial<Record<SchemaPackage, () => Promise<Exports>>>>

/** Handles errors at the import itself, so that bundlers can omit a package that is not installed without failing. */
const absent = (error: unknown): Promise<never> => Promise.reject(error)

/** The packages that this copy of the core loads. */
export const schemaPackages: SchemaPackages = {
  'zod-to-json-schema': () => import(/* webpackIgnore: true */ 'zod-to-json-schema' as string).catch(absent),
  '@valibot/to-json-schema': () => import(/* webpackIgnore: true */ '@valibot/to-json-schema' as string).catch(absent),
}

/** The packages of this copy of the core and of others. */
const knownPackages = new Set<SchemaPackages>([schemaPackages])

/**
 * Adds another copy of the core as a fallback for packages that this one cannot load.
 *
 * @param packages - The packages that the other copy loads; its version may differ.
 */
export function addSchemaPackages(packages: SchemaPackages): void {
  knownPackages.add(packages)
}

/**
 * Loads a package that converts schemas.
 *
 * @throws Error - No known copy of the core can load it.
 */
export async function loadSchemaPackage(name: SchemaPackage): Promise<Exports> {
  let failure: unknown
  for (const loaders of knownPackages)
    try {
      const loaded = await loaders[name]?.()
      if (loaded) return loaded
    } catch (error) {
      failure ??= error
    }
  throw failure
}
