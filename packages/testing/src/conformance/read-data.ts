import { readFileSync } from 'node:fs'

/** Reads one of the package's data files. */
export function readData(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../data/${name}`, import.meta.url), 'utf8'))
}
