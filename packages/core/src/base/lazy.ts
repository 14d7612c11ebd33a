/**
 * Returns a loader of a module that is rarely needed. It returns a promise until the module is there and the module
 * itself afterwards, so that calls do not pay for a turn of the event loop each. A failed load is tried again.
 *
 * @param load - Imports the module.
 */
export function lazy<TModule extends object>(load: () => Promise<TModule>): () => TModule | Promise<TModule> {
  let module: TModule | undefined
  let loading: Promise<TModule> | undefined
  return () => {
    if (module) return module
    loading ??= load().then(
      (loaded) => {
        module = loaded
        return loaded
      },
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
}
