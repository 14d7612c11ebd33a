import { prepare, root, startedExamples } from './prepare.mjs'

// npm run picture: takes the pictures of the documentation and the README, of the examples with the components of
// `trestle dev`. Names as arguments take only these pictures. CHROMIUM_PATH selects a browser other than Debian's.

async function main() {
  if (!prepare([...startedExamples, '@trestle/cli'])) return 1
  const { takePictures } = await import('./pictures/take-pictures.mjs')
  const names = process.argv.slice(2)
  await takePictures({ root, names, write: (line) => process.stdout.write(`${line}\n`) })
  return 0
}

process.exit(await main())
