import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf, require } from './packages.ts'
import type { TemplateMail } from './template-mail.ts'

interface Engine {
  render(template: string, data: object): string
}
interface Nunjucks {
  readonly Environment: new (loader: object) => Engine
  readonly FileSystemLoader: new (folder: string) => object
}

const templates = ['basic', 'hero', 'sidebar', 'sidebar-hero', 'newsletter']
const picture = 'https://img.test/a.png'
const data = {
  title: 'Your trip to Lisbon',
  subtitle: 'What you booked',
  desc: 'Thank you for booking with us; here is all you need to know.',
  banner: picture,
  bannerdesc: 'The old town at night',
  site: { name: 'Travels', desc: 'since 1999', logo: picture },
  callout: { text: 'Check in from tomorrow.', link: { text: 'Check in', href: 'https://shop.test/check-in' } },
  button: { text: 'See your trip', href: 'https://shop.test/trip' },
  articles: ['Museums', 'Beaches'].map((title) => ({
    title,
    note: 'new',
    desc: 'Seven of them, all by tram.',
    thumb: picture,
    button: { text: 'Read on', href: 'https://shop.test/read' },
  })),
  contact: {
    info: { header: 'Contact', list: { Phone: '555 0100', Mail: 'help@shop.test' } },
    link: { header: 'Follow us', list: { Here: 'https://shop.test/a', There: 'https://shop.test/b' } },
  },
  footer: { Terms: { href: 'https://shop.test/terms' }, Privacy: { href: 'https://shop.test/privacy' } },
}

/** The templates of Zurb's Ink as published in `mails-default`, with their linked style sheets moved to the head. */
export function inkMails(): readonly TemplateMail[] {
  const folder = folderOf('mails-default')
  const { Environment, FileSystemLoader }: Nunjucks = require('nunjucks')
  const engine = new Environment(new FileSystemLoader(folder))
  const toStyle = (_link: string, file: string): string => `<style>${readFileSync(join(folder, file), 'utf8')}</style>`
  return templates.map((template) => ({
    name: `mails-default ${template}`,
    html: engine.render(`${template}.html`, data).replace(/<link rel="stylesheet" href="([^"]*)" *\/>/g, toStyle),
  }))
}
