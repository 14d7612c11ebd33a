import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { pages, slugify, toPagePath } from '../../../.scripts/docs/site.mjs'
import { addDarkPictures, pictureStyle, resolveLinks, showBraces, withSiteLinks } from './links.ts'
import { repositoryPage } from './repository.ts'
import { sidebar } from './sidebar.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Returns a page whose imported files are code blocks, as on the site. */
const withFiles = (page: string): string =>
  page.replace(/^<<< @\/([^{]+)\{(\w+)\}$/gm, (_line, path: string, language: string) => {
    return `\`\`\`${language}\n${readFileSync(join(root, path), 'utf8')}\`\`\``
  })

export default defineConfig({
  title: 'Trestle',
  description: 'Notification workflows as code, served from your own app.',
  lang: 'en',
  // The only address setting: the folder under which the host serves the site, such as /docs/.
  base: process.env['DOCS_BASE'] ?? '/',
  // The top-level folder, so that package READMEs become pages too.
  srcDir: root,
  outDir: fileURLToPath(new URL('dist', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../node_modules/.vitepress', import.meta.url)),
  srcExclude: [
    '**/CHANGELOG.md',
    '{README,CONTRIBUTING}.md',
    '.*/**',
    '{deploy,test}/**',
    'packages/*/{fixtures,src}/**',
  ],
  rewrites: (id) => toPagePath(id),
  cleanUrls: true,
  lastUpdated: false,
  head: [['style', {}, pictureStyle]],
  ignoreDeadLinks: 'localhostLinks',
  vite: { publicDir: fileURLToPath(new URL('../public', import.meta.url)), build: { chunkSizeWarningLimit: 2000 } },
  markdown: {
    anchor: { slugify },
    toc: { slugify },
    config: (md) => void md.use(resolveLinks, root).use(showBraces).use(addDarkPictures),
  },
  themeConfig: {
    search: { provider: 'local', options: { detailedView: true } },
    outline: [2, 3],
    externalLinkIcon: true,
    nav: [
      { text: 'Start', link: '/start/', activeMatch: '^/(start|concepts)' },
      { text: 'Reference', link: '/packages/core', activeMatch: '^/(packages|service|testing|cli|steps|api|errors)' },
      { text: 'Production', link: '/deploy', activeMatch: '^/deploy' },
    ],
    sidebar,
    ...(repositoryPage && {
      editLink: {
        text: 'Edit this page',
        pattern: ({ filePath }) => `${repositoryPage}/edit/main/${filePath}`,
      },
      socialLinks: [{ icon: 'github', link: repositoryPage }],
    }),
  },
  buildEnd({ outDir, site: { base } }) {
    const texts = [...pages].map(([path, file]) => ({ path, file, text: readFileSync(join(root, file), 'utf8') }))
    const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? 'Trestle'
    const lines = texts.map(({ path, text }) => `- [${titleOf(text)}](${base}${path.slice(1)})`)
    const head = '# Trestle\n\n> Notification workflows as code, served from your own app.\n'
    writeFileSync(
      join(outDir, 'llms.txt'),
      `${head}\nAll pages as one text: [llms-full.txt](${base}llms-full.txt).\n\n## Pages\n\n${lines.join('\n')}\n`,
    )
    writeFileSync(
      join(outDir, 'llms-full.txt'),
      texts
        .map(({ path, file, text }) => `<!-- page: ${path} -->\n\n${withFiles(withSiteLinks(text, { file, base }))}`)
        .join('\n\n'),
    )
  },
})
