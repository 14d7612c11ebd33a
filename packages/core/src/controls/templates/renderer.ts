import { lazy } from '../../base/lazy.ts'
import type { RenderOptions } from './template.ts'

/** Renders a template; see {@link renderTemplate}. */
export type Renderer = (text: string, options: RenderOptions) => unknown

// The engine and all that is built on it are loaded by the first template of the process.
const loading = lazy(async () => {
  const [{ renderTemplate }, { templateEngine }] = await Promise.all([
    import('./template.ts'),
    import('./template-engine.ts'),
  ])
  const engine = await templateEngine()
  const render: Renderer = (text, options) => renderTemplate(text, options, engine)
  return { render }
})

/** Returns the renderer of templates; a promise until it is loaded. */
export function templateRenderer(): Renderer | Promise<Renderer> {
  const loaded = loading()
  return loaded instanceof Promise ? loaded.then(({ render }) => render) : loaded.render
}
