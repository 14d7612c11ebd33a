/**
 * Returns the folder of the studio.
 *
 * @param studio - The option: a folder, or whether to serve the package's studio.
 * @returns The folder; undefined if the package has not been built.
 */
export async function findStudio(studio: boolean | URL): Promise<URL | undefined> {
  if (studio instanceof URL) return studio
  try {
    const { studioFolder } = await import('@trestle/studio')
    return studioFolder
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return undefined
  }
}
