import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readAppPackage } from '../../app/read-package.ts'
import { version } from '../../base/version.ts'
import { CommandError } from '../../terminal/command-error.ts'
import { findBridge, findSource } from '../find-bridge.ts'
import type { Installer } from '../find-installer.ts'
import { addToPackage, devScript, type PackageAdditions, toDevScript, toStartCommand } from '../package-file.ts'
import { namesIn } from '../place-workflows.ts'
import { type InitPlan, type PlannedFile, readToChange } from '../plan.ts'
import {
  nextClientBell,
  nextServerBell,
  nextVariables,
  type Variables,
  viteBell,
  viteVariables,
} from './inbox-files.ts'

const supported = 'An inbox can be added to a Next app and to a Vite app with React.'
const byHand = 'For other apps, use @trestle/inbox as its README shows.'
const importsInbox = /(?:from|import|require\(|import\()\s*['"]@trestle\/inbox(?:\/react)?['"]/

/**
 * Plans adding an inbox to an app: a bell, its variables and the packages. Writes nothing.
 *
 * @param installer - The package manager.
 * @throws {CommandError} The app uses neither Next nor Vite with React, or a file of the bell already exists.
 */
export function planInbox(folder: string, installer: Installer): InitPlan {
  const app = readAppPackage(folder)
  if (!app) throw new CommandError(`${folder} has no package.json.`, { fix: supported })
  const framework = (['next', 'vite'] as const).find((name) => app.dependencies.includes(name))
  if (framework === undefined || !app.dependencies.includes('react'))
    throw new CommandError('The app uses neither Next nor Vite with React.', { fix: `${supported} ${byHand}` })
  const mountedIn = findSource(folder, (text) => importsInbox.test(text))
  if (mountedIn !== undefined) return { framework, files: [], manual: [], isDone: true, mountedIn }
  const isTyped = existsSync(join(folder, 'tsconfig.json'))
  const plan = framework === 'next' ? planNextInbox(folder, isTyped) : planViteInbox(folder, isTyped)
  const start = toStartCommand(app, installer.run) ?? (framework === 'next' ? 'next dev' : 'vite')
  // A Vite app has no server: the bridge is in another app, which this one does not start.
  const isElsewhere = framework === 'vite'
  return {
    ...plan,
    files: [...plan.files, addPackages(folder, isElsewhere ? {} : toDevScript(start))],
    ...(isElsewhere ? { startCommand: `trestle dev --bridge PORT --run "${start}"` } : { devScript }),
    trial: toTrial(isElsewhere || findBridge(folder) !== undefined, { isElsewhere, exec: installer.exec }),
  }
}

/** Returns how to see a first message: a workflow sends it, which a bridge serves. */
function toTrial(
  hasBridge: boolean,
  { isElsewhere, exec }: { readonly isElsewhere: boolean; readonly exec: string },
): NonNullable<InitPlan['trial']> {
  if (!hasBridge)
    return {
      title: 'Messages come from a bridge, which this app does not have yet. Add it:',
      command: `${exec} trestle init`,
    }
  const server = isElsewhere ? 'PORT is the port of the server with the bridge; start that server first. ' : ''
  return {
    title: `${server}Then, in another terminal, trigger a workflow that has an inApp step, for the user on the page:`,
    command: `${exec} trestle trigger WORKFLOW --to USER_ID --follow`,
  }
}

function planNextInbox(folder: string, isTyped: boolean): InitPlan {
  const routes = ['app', 'src/app'].find((one) => existsSync(join(folder, one)))
  if (routes === undefined)
    throw new CommandError('The Next app has no app folder.', {
      fix: 'With a pages folder, render <Inbox/> from @trestle/inbox/react and compute its subscriberHash in getServerSideProps.',
    })
  const base = routes.startsWith('src/') ? 'src/inbox' : 'inbox'
  const ending = isTyped ? 'tsx' : 'jsx'
  const files = newFiles(folder, base, {
    [`inbox-bell.${ending}`]: nextServerBell(isTyped),
    [`inbox-client.${ending}`]: nextClientBell,
  })
  const layout = ['tsx', 'jsx', 'js']
    .map((one) => `${routes}/layout.${one}`)
    .find((one) => existsSync(join(folder, one)))
  return {
    framework: 'next',
    files: [...files, addVariables(folder, nextVariables)],
    manual: [toManual(layout ?? `${routes}/layout.${ending}`, '../inbox/inbox-bell')],
    isDone: false,
  }
}

function planViteInbox(folder: string, isTyped: boolean): InitPlan {
  const base = existsSync(join(folder, 'src')) ? 'src/inbox' : 'inbox'
  const ending = isTyped ? 'tsx' : 'jsx'
  const files = newFiles(folder, base, { [`inbox-bell.${ending}`]: viteBell(isTyped) })
  return {
    framework: 'vite',
    files: [...files, addVariables(folder, viteVariables)],
    manual: [toManual(`${base.replace(/inbox$/, '')}App.${ending}`, './inbox/inbox-bell')],
    isDone: false,
  }
}

function newFiles(folder: string, base: string, texts: Readonly<Record<string, string>>): readonly PlannedFile[] {
  const existingNames = namesIn(join(folder, base))
  const inTheWay = Object.keys(texts).find((name) => existingNames.has(name.replace(/\.\w+$/, '')))
  if (inTheWay !== undefined)
    throw new CommandError(`${base}/${inTheWay.replace(/\.\w+$/, '')} already exists.`, {
      fix: `Move it, or add the inbox by hand. ${byHand}`,
    })
  return Object.entries(texts).map(([name, text]) => ({ path: `${base}/${name}`, text, isChange: false }))
}

/**
 * Returns the lines to add by hand: only the app has access to the signed-in user, so its developer places the bell.
 */
const toManual = (file: string, specifier: string): InitPlan['manual'][number] => ({
  file,
  lines: [`import { InboxBell } from '${specifier}'`, '<InboxBell subscriberId={user.id} />'],
  why: 'with the id of the signed-in user',
})

/** Adds the names to the file that documents required variables, without values. */
function addVariables(folder: string, variables: Variables): PlannedFile {
  const path = '.env.example'
  const isChange = existsSync(join(folder, path))
  const before = isChange ? readToChange(folder, path) : ''
  const isMissing = (name: string): boolean => !new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`, 'm').test(before)
  const added = Object.entries(variables)
    .filter(([name]) => isMissing(name))
    .map(([name, meaning]) => `# ${meaning}\n${name}=\n`)
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  return { path, isChange, text: `${before}${gap}${added.join('')}` }
}

function addPackages(folder: string, scripts: PackageAdditions['scripts']): PlannedFile {
  const text = readToChange(folder, 'package.json')
  return {
    path: 'package.json',
    isChange: true,
    text: addToPackage(text, {
      dependencies: { '@trestle/inbox': version() },
      devDependencies: { '@trestle/cli': version() },
      scripts,
    }),
  }
}
