import type { AppPackage } from '../app/read-package.ts'

/**
 * The script that starts an app together with the local service. It is not named `trestle`, because yarn would run a
 * script with that name instead of the program.
 */
export const devScript = 'trestle:dev'

/** Returns the command that starts the app in development: one of its scripts, unless it runs `trestle dev` itself. */
export function toStartCommand({ scripts }: AppPackage, run: string): string | undefined {
  const name = ['dev', 'start:dev', 'develop', 'serve', 'start'].find((one) => Object.hasOwn(scripts, one))
  return name === undefined || /\btrestle(?::| +)dev\b/.test(scripts[name] ?? '') ? undefined : `${run} ${name}`
}

/**
 * Returns the script to add to `package.json`.
 *
 * @param start - The command that starts the app; undefined if it is started separately.
 */
export function toDevScript(start: string | undefined): Readonly<Record<string, string>> {
  return { [devScript]: start === undefined ? 'trestle dev' : `trestle dev --run "${start}"` }
}
