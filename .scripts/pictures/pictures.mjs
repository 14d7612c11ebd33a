/**
 * The pictures of the documentation, by file name. `open` shows what is photographed; it gets the browser's page, the
 * addresses, and the runs of `set-up.mjs`.
 */
export const pictures = {
  overview: {
    height: 770,
    async open(page, { studio }) {
      await page.goto(studio('/'))
      await page.getByText('Needs attention').first().waitFor()
    },
  },
  step: {
    async open(page, { studio }) {
      await page.goto(studio('/workflows/order-shipped/steps/email'))
      await page.locator('iframe').first().waitFor()
    },
  },
  run: {
    height: 760,
    async open(page, { studio, unsentRunId }) {
      await page.goto(studio(`/runs/${unsentRunId}`))
      await page.getByText('has no email address').first().waitFor()
    },
  },
  error: {
    height: 640,
    async open(page, { studio }) {
      await page.goto(studio('/errors/SignatureMismatchError'))
      await page.getByText('What to do').first().waitFor()
    },
  },
  bell: {
    width: 760,
    height: 520,
    async open(page, { pageUrl }) {
      await page.goto(pageUrl)
      await page.locator('#bell button').first().click()
      await page.getByText('mentioned you').first().waitFor()
    },
  },
}
