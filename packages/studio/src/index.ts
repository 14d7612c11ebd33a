/** The folder of the studio's built files, to be served at `/studio/`. */
export const studioFolder: URL = new URL('./app/', import.meta.url)
