import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError } from '../terminal/command-error.ts'
import { type FileStyle, workflowsFile } from './app-files.ts'
import { namesIn, placeWorkflows } from './place-workflows.ts'
import type { InitPlan, PlannedFile } from './plan.ts'

/**
 * Plans adding a bridge to a Next app: a route, and workflows next to the routes folder.
 *
 * @param parts - The code style, and the changed `package.json`.
 * @throws {CommandError} There is no `app` or `pages` folder, or the route already exists.
 */
export function planNext(
  folder: string,
  { style, packageFile }: { readonly style: FileStyle; readonly packageFile: PlannedFile },
): InitPlan {
  const routes = ['app', 'src/app', 'pages', 'src/pages'].find((one) => existsSync(join(folder, one)))
  if (routes === undefined)
    throw new CommandError('The Next app has no app or pages folder.', { fix: 'Run it in the folder of the app.' })
  const isApp = routes.endsWith('app')
  const base = routes.startsWith('src/') ? 'src/' : ''
  const { ending } = style
  const route = isApp ? `${routes}/api/bridge/route.${ending}` : `${routes}/api/bridge.${ending}`
  const { name, isThere } = placeWorkflows(join(folder, base), ending)
  // Next accepts any extension, or a folder, for this route.
  if (namesIn(join(folder, dirname(route))).has(isApp ? 'route' : 'bridge'))
    throw new CommandError(`${route.replace(/\.\w+$/, '')} already exists.`, {
      fix: 'Mount the bridge in it by hand; see the README of @trestle/next.',
    })
  const up = isApp ? '../../../' : '../../'
  const text = isApp
    ? `import { serve } from '@trestle/next'
import { workflows } from '${up}${name}'

export const { GET, POST, OPTIONS, HEAD, PUT, PATCH, DELETE } = serve({ workflows })
`
    : `import { serve } from '@trestle/next/pages'
import { workflows } from '${up}${name}'

export default serve({ workflows })
// Next reads this line from the source: without it the body is parsed before the bridge sees the bytes that were signed.
export const config = { api: { bodyParser: false } }
`
  const files = [
    ...(isThere ? [] : [{ path: `${base}${name}.${ending}`, text: workflowsFile(style), isChange: false }]),
    { path: route, text, isChange: false },
    packageFile,
  ]
  return { framework: 'next', files, manual: [], isDone: false }
}
