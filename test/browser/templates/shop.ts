import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileString } from 'sass'
import { folderOf, require } from './packages.ts'
import type { TemplateMail } from './template-mail.ts'

interface Ejs {
  renderFile(file: string, data: object): Promise<string>
}
interface Product {
  readonly name: string
  readonly price: number
  readonly pictures: readonly { readonly normal: { readonly url: string } }[]
}

const themeColor = '#7a2e8d'
const store = {
  name: 'Shop',
  domain: 'shop.test',
  homepage: 'https://shop.test',
  corporate_name: 'Shop Ltd.',
  address: '123 Park Avenue',
  unsubscribe: 'https://shop.test/unsubscribe',
  logo: { url: 'https://img.test/logo.png' },
}
const product = {
  name: 'A lamp',
  slug: 'a-lamp',
  price: 19.9,
  base_price: 25,
  quantity: 2,
  pictures: [{ normal: { url: 'https://img.test/lamp.png' } }],
}
const items = [product, { ...product, name: 'A chair & a table', quantity: 1 }]
const shipping = {
  to: { zip: '10117', street: 'Unter den Linden', number: 1, city: 'Berlin', province_code: 'BE', name: 'Ann Lee' },
  app: { carrier: 'Post', tracking_url: 'https://post.test/1' },
  delivery_time: { days: 3, working_days: true },
  posting_deadline: { days: 1, working_days: true },
  delivery_instructions: 'Ring twice.',
  tracking_codes: [{ code: 'AB1', link: 'https://post.test/AB1' }],
}
const order = {
  _id: '0123456789abcdef01234567',
  number: 1042,
  domain: 'shop.test',
  status_link: 'https://shop.test/order/1042',
  shipping_method_label: 'Standard',
  payment_method_label: 'Card',
  financial_status: { current: 'paid' },
  amount: { total: 64.8, subtotal: 59.7, freight: 5.1, tax: 1, discount: 2, extra: 1 },
  shipping_lines: [shipping],
  transactions: [
    { payment_method: { code: 'banking_billet' }, banking_billet: { code: '1234', link: 'https://bank.test/1' } },
  ],
  items,
}
const ecomUtils = {
  formatMoney: (value: number): string => `$ ${value.toFixed(2)}`,
  img: ({ pictures }: Product): object | undefined => pictures[0]?.normal,
  name: ({ name }: Product): string => name,
  nickname: (): string => 'Ann',
  onPromotion: (): boolean => true,
  price: ({ price }: Product): number => price,
}
const message = {
  title: 'Hello',
  subtitle: 'News',
  body: 'A <b>sale</b>',
  button_text: 'Go',
  button_link: 'https://shop.test',
}

/** The transactional emails of E-Com Plus, with the style sheet that they compile for each store. */
export async function shopMails(): Promise<readonly TemplateMail[]> {
  const folder = folderOf('@ecomplus/transactional-mails')
  const { renderFile }: Ejs = require('ejs')
  const scss = readFileSync(join(folder, 'scss/styles.scss'), 'utf8')
  const { css } = compileString(`$theme-color: ${themeColor};\n${scss}`, { loadPaths: [join(folder, 'scss')] })
  const i18n: object = JSON.parse(readFileSync(join(folder, 'i18n/en_us.json'), 'utf8'))
  const customer = { name: { given_name: 'Ann', family_name: 'Lee' }, main_email: 'ann@shop.test' }
  const cart = { _id: order._id, permalink: 'https://shop.test/cart', items, subtotal: 59.7 }
  const templateData = {
    ...message,
    store,
    customer,
    order,
    cart,
    product,
    items,
    lang: 'en_us',
    custom_message: undefined,
  }
  const files = readdirSync(join(folder, 'views')).filter((file) => file.endsWith('.ejs'))
  return Promise.all(
    files.map(async (file) => ({
      name: `transactional-mails ${file}`,
      html: await renderFile(join(folder, 'views', file), { ...templateData, css, i18n, themeColor, ecomUtils }),
    })),
  )
}
