/** A file that is written. */
export interface PlannedFile {
  /** Its path within the app's folder. */
  readonly path: string
  readonly text: string
  /** Whether it is there already, and is changed. */
  readonly isChange: boolean
}

/** What `trestle init` does, before it does it. */
export interface InitPlan {
  readonly framework: 'express' | 'hono' | 'next' | 'vite' | 'new'
  readonly files: readonly PlannedFile[]
  /** What a person must add by hand, where no file could be changed safely; lines of code by file. */
  readonly manual: readonly { readonly file: string; readonly lines: readonly string[]; readonly why: string }[]
  /** Whether the app has it already, so that nothing is to be done. */
  readonly isDone: boolean
  /** What the app needs beside, and nothing here changes. */
  readonly advice?: string
  /** The script of the app's `package.json` that starts it together with the local service, if one does. */
  readonly devScript?: string
  /** The file that has it already. */
  readonly mountedIn?: string
}

/** Versions of what an app is given. */
export const versions: Readonly<Record<string, string>> = Object.freeze({
  '@hono/node-server': '^2.1.8',
  hono: '^4.13.19',
  zod: '^4.6.7',
  tsx: '^4.23.15',
  typescript: '^6.0.3',
  '@types/node': '^20.19.25',
})
