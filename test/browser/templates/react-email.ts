import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { render } from '@react-email/render'
import { createElement, type FunctionComponent } from 'react'
import ts from 'typescript'
import { folderOf, require } from './packages.ts'
import type { TemplateMail } from './template-mail.ts'

/** The starter emails of React Email, read from their sources because they are published for copying. */
export async function reactMails(): Promise<readonly TemplateMail[]> {
  const folder = join(folderOf('create-email'), 'template/emails')
  const files = readdirSync(folder).filter((file) => file.endsWith('.tsx'))
  return Promise.all(
    files.map(async (file) => {
      const source = readFileSync(join(folder, file), 'utf8').replace(
        "from 'react-email'",
        "from '@react-email/components'",
      )
      const compilerOptions = {
        module: ts.ModuleKind.CommonJS,
        jsx: ts.JsxEmit.ReactJSX,
        target: ts.ScriptTarget.ES2022,
      }
      const { outputText } = ts.transpileModule(source, { compilerOptions })
      const module = { exports: {} as { default?: FunctionComponent } }
      new Function('module', 'exports', 'require', outputText)(module, module.exports, require)
      if (!module.exports.default) throw new Error(`${file} of create-email has no default export.`)
      return { name: `create-email ${file}`, html: await render(createElement(module.exports.default)) }
    }),
  )
}
