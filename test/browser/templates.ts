import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { render } from '@react-email/render'
import Mailgen from 'mailgen'
import mjml from 'mjml'
import { createElement, type FunctionComponent } from 'react'
import ts from 'typescript'

/** A mail as the template of a public package makes it. */
export interface TemplateMail {
  /** The package and the template. */
  readonly name: string
  readonly html: string
}

const require = createRequire(import.meta.url)
const folderOf = (name: string): string => {
  let folder = dirname(require.resolve(`${name}/package.json`))
  while (basename(folder) === 'dist') folder = dirname(folder)
  return folder
}

/** Makes the mails of every package that has templates. */
export async function loadTemplates(): Promise<readonly TemplateMail[]> {
  return [...foundationMails(), ...mailgenMails(), ...(await reactMails()), ...(await mjmlMails())]
}

/** Pages of Foundation for Emails, with the styles they link to in the head, as its inliner leaves them. */
function foundationMails(): readonly TemplateMail[] {
  const root = folderOf('foundation-emails')
  const css = readFileSync(join(root, 'dist/foundation-emails.css'), 'utf8')
  const folder = join(root, '.download/templates')
  return readdirSync(folder).map((file) => {
    const html = readFileSync(join(folder, file), 'utf8').replace(
      /<link rel="stylesheet"[^>]*>/,
      `<style>${css}</style>`,
    )
    return { name: `foundation-emails ${file}`, html }
  })
}

const button = { color: '#22BC66', text: 'Confirm your account', link: 'https://shop.test/confirm?a=1&b=2' }
const rows = [
  { item: 'Node.js', description: 'Event-driven I/O <server-side>', price: '$10.99' },
  { item: 'Mailgen', description: 'Creates mails & more', price: '$1.99' },
]
const columns = { customWidth: { item: '20%', price: '15%' }, customAlignment: { price: 'right' } }
const bodies: Readonly<Record<string, object>> = {
  welcome: { name: 'Ann', intro: 'Welcome!', action: { instructions: 'Click here:', button }, outro: 'Need help?' },
  receipt: {
    greeting: 'Dear',
    signature: 'Sincerely',
    intro: ['Your order', 'has shipped.'],
    table: { data: rows, columns },
  },
  reset: {
    title: 'Reset',
    intro: 'You asked for it.',
    action: [
      { instructions: 'One', button },
      { instructions: 'Two', button },
    ],
  },
  details: {
    name: 'Ann',
    dictionary: { Date: 'June 11th', Address: '123 Park Avenue' },
    goToAction: { ...button, description: 'x' },
  },
}

function mailgenMails(): readonly TemplateMail[] {
  return ['default', 'neopolitan', 'salted', 'cerberus'].flatMap((theme) =>
    Object.entries(bodies).map(([kind, body]) => {
      const product = {
        name: 'Shop',
        link: 'https://shop.test/',
        logo: 'https://shop.test/logo.png',
        copyright: '© Shop',
      }
      const textDirection = kind === 'reset' ? 'rtl' : 'ltr'
      const generator = new Mailgen({ theme, product, textDirection })
      return { name: `mailgen ${theme} ${kind}`, html: generator.generate({ body } as Mailgen.Content) }
    }),
  )
}

/** The starter mails of React Email; they are read as sources, since they lie there for people to copy. */
async function reactMails(): Promise<readonly TemplateMail[]> {
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

const sections: Readonly<Record<string, string>> = {
  hero: '<mj-hero mode="fixed-height" height="200px" background-width="600px" background-height="200px" background-url="https://img.test/a.png"><mj-text>Hi</mj-text></mj-hero>',
  columns:
    '<mj-section background-url="https://img.test/a.png" padding="9px"><mj-column width="40%"><mj-image src="https://img.test/b.png"/></mj-column><mj-column><mj-text>Two</mj-text><mj-button href="https://x.test">Go</mj-button></mj-column></mj-section>',
  navbar:
    '<mj-section><mj-column><mj-navbar hamburger="hamburger"><mj-navbar-link href="/a">A</mj-navbar-link><mj-navbar-link href="/b">B</mj-navbar-link></mj-navbar></mj-column></mj-section>',
  carousel:
    '<mj-section><mj-column><mj-carousel><mj-carousel-image src="https://img.test/a.png"/><mj-carousel-image src="https://img.test/b.png"/></mj-carousel></mj-column></mj-section>',
  accordion:
    '<mj-section><mj-column><mj-accordion><mj-accordion-element><mj-accordion-title>Why</mj-accordion-title><mj-accordion-text>Because</mj-accordion-text></mj-accordion-element></mj-accordion></mj-column></mj-section>',
  social:
    '<mj-section><mj-group><mj-column><mj-social><mj-social-element name="github" href="https://x.test">G</mj-social-element></mj-social></mj-column></mj-group></mj-section>',
}

/** Each component of MJML that brings styles or conditions of its own, in a mail. */
async function mjmlMails(): Promise<readonly TemplateMail[]> {
  return Promise.all(
    Object.entries(sections).map(async ([name, section]) => {
      const head =
        '<mj-head><mj-title>T</mj-title><mj-preview>P</mj-preview><mj-font name="Lato" href="https://fonts.test/css?family=Lato"/><mj-style>.x:hover{color:red}</mj-style></mj-head>'
      const { html } = await mjml(`<mjml>${head}<mj-body>${section}</mj-body></mjml>`)
      return { name: `mjml ${name}`, html }
    }),
  )
}
