import { posix, win32 } from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

/** Adds folders in which programs are searched first. */
export function withFolders(env: Env, folders: readonly string[], platform: string = process.platform): Env {
  const name = findName('PATH', env, platform)
  return { ...env, [name]: [...folders, env[name] ?? ''].join(toPathModule(platform).delimiter) }
}

/** Returns the paths at which a program can be installed, in the order in which they are searched. */
export function programFiles(name: string, env: Env, platform: string = process.platform): readonly string[] {
  const { delimiter, join } = toPathModule(platform)
  const folders = (env[findName('PATH', env, platform)] ?? '').split(delimiter).filter((folder) => folder !== '')
  const extensions = env[findName('PATHEXT', env, platform)] ?? '.COM;.EXE;.BAT;.CMD'
  const endings = platform === 'win32' ? extensions.split(delimiter) : ['']
  return folders.flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)))
}

/** On Windows, names of variables are case-insensitive, and the path is usually called `Path`. */
function findName(name: string, env: Env, platform: string): string {
  if (platform !== 'win32') return name
  return Object.keys(env).find((key) => key.toUpperCase() === name) ?? name
}

const toPathModule = (platform: string): typeof posix => (platform === 'win32' ? win32 : posix)
