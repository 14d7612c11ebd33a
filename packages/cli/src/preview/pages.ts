import { escapeHtml } from '@trestle/html/escape'

export interface PreviewPage {
  /** The file, within the folder. */
  readonly file: string
  readonly html: string
}

/** A row of the index: a step with the results of its fixtures. */
export interface IndexRow {
  readonly workflowId: string
  readonly stepId: string
  readonly type: string
  readonly file: string
  /** The fixtures, and whether each could be rendered. */
  readonly fixtures: readonly { readonly name: string; readonly ok: boolean }[]
}

/** Returns a page as self-contained HTML; a wide page has two columns. */
export function toPage(title: string, content: string, { isWide = false }: { readonly isWide?: boolean } = {}): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<main${isWide ? ' class="wide"' : ''}>
${content}
</main>
</html>
`
}

/** Returns the index of all previews. */
export function toIndex(rows: readonly IndexRow[]): string {
  const workflows = [...new Set(rows.map(({ workflowId }) => workflowId))]
  const sections = workflows.map((workflowId) => {
    const items = rows
      .filter((row) => row.workflowId === workflowId)
      .map(({ stepId, type, file, fixtures }) => {
        const marks = fixtures.map(
          ({ name, ok }) => `<span class="${ok ? 'note' : 'failed'}">${escapeHtml(name)}</span>`,
        )
        return `<li><a href="${escapeHtml(encodeURI(file))}">${escapeHtml(stepId)}</a> <code>${escapeHtml(type)}</code> ${marks.join(' ')}</li>`
      })
    return `<h2>${escapeHtml(workflowId)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
  })
  const empty = '<p class="note">There are no steps to preview. Serve a workflow, and write the previews again.</p>'
  return toPage('Previews', `<h1>Previews</h1>\n${sections.join('\n') || empty}`)
}

/** Returns file names for ids that are valid on every file system, and unique even if case is ignored. */
export function createFileNames(): (id: string) => string {
  const used = new Set(['index'])
  return (id) => {
    const base =
      id
        .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
        .slice(0, 60)
        .replace(/^-+|-+$/g, '')
        .toLowerCase() || 'step'
    let name = base
    for (let count = 2; used.has(name); count++) name = `${base}-${count}`
    used.add(name)
    return name
  }
}

const style = `
:root { color-scheme: light dark; --edge: #8884; --accent: #2563eb }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem }
main.wide { max-width: 84rem }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem }
table { border-collapse: collapse; margin: .5rem 0 } th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; overflow-wrap: anywhere }
th { font-weight: 500 } del { background: #dc262622 } ins { background: #16a34a22; text-decoration: none }
a { color: var(--accent) }
h3 { margin-top: 2.5rem; border-top: 1px solid var(--edge); padding-top: 1rem }
h4 { margin: 0 0 .25rem }
p { margin: .25rem 0 }
pre { overflow: auto; padding: 1rem; border: 1px solid var(--edge); border-radius: 8px; font-size: 13px }
.card { border: 1px solid var(--edge); border-radius: 8px; padding: 1rem; margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere }
.bubble { max-width: 24rem; border-radius: 16px }
.button { display: inline-block; border: 1px solid var(--edge); border-radius: 6px; padding: .25rem .75rem }
.note { opacity: .7; font-size: 14px }
.warning { color: #b45309 }
.failed { color: #dc2626 }
iframe { width: 100%; border: 1px solid var(--edge); border-radius: 8px; background: #fff; resize: both }
iframe.mail { height: 28rem } iframe.inbox { height: 8rem }
`
