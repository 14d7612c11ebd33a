type Exports = Readonly<Record<string, unknown>>
/** Packages that show the schemas of a library as JSON Schema, where the library itself does not. */
export type SchemaPackage = 'zod-to-json-schema' | '@valibot/to-json-schema'
/** How they are loaded. */
export type SchemaPackages = Readonly<Partial<Record<SchemaPackage, () => Promise<Exports>>>>

/** Said where it is imported, because bundlers then leave out a package that is not installed, and do not fail. */
const absent = (error: unknown): Promise<never> => Promise.reject(error)

/** What this copy of the core loads. */
export const schemaPackages: SchemaPackages = {
  'zod-to-json-schema': () => import(/* webpackIgnore: true */ 'zod-to-json-schema' as string).catch(absent),
  '@valibot/to-json-schema': () => import(/* webpackIgnore: true */ '@valibot/to-json-schema' as string).catch(absent),
}

/** Of this copy of the core and others. */
const known = new Set<SchemaPackages>([schemaPackages])

/**
 * Loads from now on by another copy of the core, too, what this one cannot.
 *
 * @param packages - What it loads; its version may differ.
 */
export function addSchemaPackages(packages: SchemaPackages): void {
  known.add(packages)
}

/**
 * Loads a package that shows schemas.
 *
 * @throws Error - No copy of the core that is known can load it.
 */
export async function loadSchemaPackage(name: SchemaPackage): Promise<Exports> {
  let failure: unknown
  for (const loaders of known)
    try {
      const loaded = await loaders[name]?.()
      if (loaded) return loaded
    } catch (error) {
      failure ??= error
    }
  throw failure
}
