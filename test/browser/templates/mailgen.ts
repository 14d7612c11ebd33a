import Mailgen from 'mailgen'
import type { TemplateMail } from './template-mail.ts'

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

/** The emails of each Mailgen theme, with various contents. */
export function mailgenMails(): readonly TemplateMail[] {
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
