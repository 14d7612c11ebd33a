import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPacking } from './packed.ts'

/** A file of a built user interface. */
export interface Asset {
  /** Its media type. */
  readonly contentType: string
  /** Whether its name changes with its content, so that browsers may cache it forever. */
  readonly isImmutable: boolean
  /** Returns its bytes. */
  read(): Promise<Uint8Array>
  /**
   * Returns the compressed bytes; undefined if the file's content can change, or compression does not make it smaller.
   */
  readonly pack: ReturnType<typeof createPacking> | undefined
}

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  webp: 'image/webp',
  woff2: 'font/woff2',
  webmanifest: 'application/manifest+json',
}

const isText = /^text\/|json|svg/

/** The folder of files with a content hash in their names. */
const hashedFolder = 'assets/'

/**
 * Lists the files of a folder once. Only listed files are ever read, so no path leads out of the folder.
 *
 * @param folder - The folder.
 * @returns The files by relative path with `/`; empty if the folder does not exist.
 */
export async function listAssets(folder: URL): Promise<ReadonlyMap<string, Asset>> {
  const root = fileURLToPath(folder)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return new Map(files.map((file) => [relative(root, file).split(sep).join('/'), toAsset(root, file)]))
}

function toAsset(root: string, file: string): Asset {
  const name = relative(root, file).split(sep).join('/')
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const contentType = contentTypes[extension] ?? 'application/octet-stream'
  const isImmutable = name.startsWith(hashedFolder)
  const read = (): Promise<Uint8Array> => readFile(file)
  return {
    contentType,
    isImmutable,
    read,
    pack: isImmutable && isText.test(contentType) ? createPacking(read) : undefined,
  }
}
