/**
 * Returns a loader for a rarely used module. It returns a promise until the module is loaded, and then the module
 * itself, which saves each call a turn of the event loop. A failed load is retried.
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
