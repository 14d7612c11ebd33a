import mjml from 'mjml'
import type { TemplateMail } from './template-mail.ts'

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

/** Each component of MJML with its own styles or conditions, in one email. */
export async function mjmlMails(): Promise<readonly TemplateMail[]> {
  return Promise.all(
    Object.entries(sections).map(async ([name, section]) => {
      const head =
        '<mj-head><mj-title>T</mj-title><mj-preview>P</mj-preview><mj-font name="Lato" href="https://fonts.test/css?family=Lato"/><mj-style>.x:hover{color:red}</mj-style></mj-head>'
      const { html } = await mjml(`<mjml>${head}<mj-body>${section}</mj-body></mjml>`)
      return { name: `mjml ${name}`, html }
    }),
  )
}
